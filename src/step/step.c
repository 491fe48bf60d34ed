/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The four steppers, each to be read beside its figure.  In this order: the
 * clock; the verbs of the pseudocode, from which steppers are made; the
 * steppers; vsp_world_step. */

#include "step.h"


/* ---- The clock -------------------------------------------------------------
 * Counts ticks of VSP_CLOCK, if a build has it, for vsp_stats. */

/* in the order of the ticks in vsp_stats, to which those of a step are
 * copied */
enum { PHASE_DETECT, PHASE_SOLVE, PHASE_CORRECT, PHASE_REST };

#define TICKS_OF(phase) \
    (offsetof(vsp_stats, detect_ticks) + (phase) * sizeof(uint32_t))

VSP_STATIC_ASSERT(phases_are_ticks,
                  TICKS_OF(PHASE_SOLVE) == offsetof(vsp_stats, solve_ticks) &&
                      TICKS_OF(PHASE_CORRECT) ==
                          offsetof(vsp_stats, correct_ticks) &&
                      TICKS_OF(PHASE_REST) == offsetof(vsp_stats, rest_ticks));

/* Adds the time since start_clock, or since the last call, to a phase. */
#if VSP__HAS_CLOCK
static void end_phase(vsp_world *world, uint32_t phase)
{
    vsp__counters *stats = &world->stats;
    uint32_t now = VSP_CLOCK;

    stats->ticks[phase] += now - stats->since;
    stats->since = now;
}

static void start_clock(vsp_world *world)
{
    world->stats.since = VSP_CLOCK;
}
#else
static void end_phase(vsp_world *world, uint32_t phase)
{
    (void)world;
    (void)phase;
}

static void start_clock(vsp_world *world)
{
    (void)world;
}
#endif


/* ---- Verbs of a step -------------------------------------------------------
 * The verbs of the pseudocode in Erleben 2007, figures 12 and 14: collision
 * detection, stack layers, fixate, dynamics(h), correction().  Most act on a
 * span: all bodies, or one stack layer.  Each one calls end_phase itself. */

/* Counts the shapes that have a surface velocity. */
static uint32_t count_belts(const vsp_world *world)
{
    uint32_t i, count = 0;

    for (i = 0; i < world->shape_limit; i++)
        if (!vsp__are_three_zero(&world->shapes[i].surface.x) ||
            (world->shapes[i].table != 0 &&
             vsp__has_material(world, world->shapes + i, VSP__MATERIAL_MOVES)))
            count++;
    return count;
}

/* Counts the shapes that have rolling or spinning friction. */
#if VSP_ROLLING
static void count_rolling(vsp_world *world)
{
    uint32_t i;

    world->rolling_count = 0;
    for (i = 0; i < world->shape_limit; i++)
        if (vsp__has_rolling(world->shapes + i) ||
            (world->shapes[i].table != 0 &&
             vsp__has_material(world, world->shapes + i, VSP__MATERIAL_ROLLS)))
            world->rolling_count++;
}
#else
static void count_rolling(vsp_world *world)
{
    (void)world;
}
#endif

/* A work on bodies or manifolds of a span, of which workers do pieces. */
typedef struct step_work {
    vsp_world *world;
    const vsp__span *span; /* items are counted from its first */
    vsp__num h;            /* s */
    vsp__sums locked;      /* bodies with locks */
} step_work;

static void start_step_work(vsp_world *world, const vsp__span *span, vsp__num h,
                            step_work *job)
{
    job->world = world;
    job->span = span;
    job->h = h;
}

static uint32_t bodies_of(const vsp__span *span)
{
    return span->last_body - span->first_body;
}

/* Bodies, and manifolds, that are worth a piece of work. */
#define LEAST_BODIES VSP__LEAST(64u)
#define LEAST_MANIFOLDS VSP__LEAST(64u)

/* A vsp__do_piece: vsp__start_body. */
static void start_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    step_work *job = (step_work *)work;

    for (; first < last; first++)
        if (vsp__start_body(job->world, first))
            job->locked.of[piece]++;
}

/* Prepares all bodies for the solve. */
static void start_bodies(vsp_world *world)
{
    step_work job;

    start_step_work(world, NULL, 0, &job);
    vsp__clear_sums(&job.locked);
    vsp__share_work(world, start_piece, &job, world->body_limit, LEAST_BODIES);
    world->locked_count = vsp__sum_of_all(&job.locked);
}

/* Collision detection at time t, of bullets where they will hit.  Also prepares
 * bodies for the solve, loads the impulses of the last step, and updates
 * sensors and touching pairs. */
static void detect_collisions(vsp_world *world)
{
    if (VSP_JOINTS)
        vsp__list_body_joints(world);
    if (VSP_RANGES)
        vsp__take_range_loads(world);
    if (VSP_CCD)
        vsp__fly_to_impacts(world);
    count_rolling(world);
    end_phase(world, PHASE_REST);
    if (VSP_SLEEP)
        vsp__detect_and_wake(world);
    else
        vsp__detect_contacts(world, VSP__CONTACTS_SOLVED);
    end_phase(world, PHASE_DETECT);
    world->contacts[VSP__CONTACTS_AFTER].dropped = 0;
    start_bodies(world);
    if (VSP_RANGES)
        vsp__calm_webs(world);
    world->belt_count = VSP_BELTS ? count_belts(world) : 0;
    if (VSP_HINGE_LOOPS)
        vsp__start_hinge_loops(world);
    if (world->params.warm_start)
        vsp__load_warm_records(world);
    if (VSP_EVENTS) {
        vsp__update_sensors(world);
        vsp__mark_touched(world);
    }
    if (VSP_SLEEP)
        vsp__save_sleeping_records(world);
}

/* Whether a span is a layer: always false in a build with PGS alone, which
 * solves no layers. */
static bool is_layer(const vsp__span *span)
{
    return (VSP_CARRY || VSP_SHOCK || VSP_SUBSPACE) && span->is_layer;
}

/* Makes a span of layers first to last - 1: their manifolds, joints and bodies.
 * Only bodies of height 0, which do not move, are fixated. */
static VSP__CALLED void take_layers(const vsp_world *world, uint32_t first,
                                    uint32_t last, vsp__span *span)
{
    const vsp__solver_scratch *solve = vsp__solve_of(world);

    span->list = VSP__CONTACTS_SOLVED;
    span->first = solve->layer_manifolds[first];
    span->last = solve->layer_manifolds[last];
    span->lowest = 1;
    span->first_joint = span->last_joint = 0;
    if (VSP_JOINTS) {
        span->first_joint = vsp__joint_pool_of(world)->layer_joints[first];
        span->last_joint = vsp__joint_pool_of(world)->layer_joints[last];
    }
    span->first_body = solve->layer_bodies[first];
    span->last_body = solve->layer_bodies[last];
    span->is_layer = false;
}

/* Makes a span of layer k: the bodies of height k + 1, with their contacts and
 * joints among each other and with bodies of height k.  Layer layer_count, the
 * last one, holds the floating bodies. */
static void stack_layer(const vsp_world *world, uint32_t k, vsp__span *layer)
{
    take_layers(world, k, k + 1u, layer);
    layer->is_layer = true;
}

/* Fixates the bottom-most bodies of layer k: they have infinite mass in all
 * work on this span, but keep their velocity. */
static void fixate_below(vsp__span *layer, uint32_t k)
{
    layer->lowest = k + 1u;
}

/* Builds the stack layers (for SUBSPACE the islands instead) and the span of
 * all bodies; then computes the biases of contacts: open gaps, and restitution
 * from the velocities before the step.  Returns the largest stir of a point. */
static uint32_t stack_layers(vsp_world *world, vsp__span *all)
{
    uint32_t stir;

    vsp__build_stack(world, vsp__is_shock(world));
    if (vsp__is_subspace(world))
        vsp__sort_islands(world);
    take_layers(world, 0, world->layer_count + 1u, all);
    world->stats.awake_count = all->last_body;
    stir = vsp__find_biases(world);
    if (VSP__HITS)
        vsp__find_hits(world);
    end_phase(world, PHASE_REST);
    return stir;
}

/* how the multipliers of dynamics(h) start and end */
typedef enum warmth {
    COLD, /* start at 0; stored impulses do not change */
    WARM  /* start at the stored impulses of the last step, and replace them */
} warmth;

/* Assembles A and b of eq. 45, and starts the multipliers.  CARRY searches, for
 * each island, how much of the warm start to use: after an impact the old
 * impulses are far too large, and would lift a stack. */
static void assemble_problem(vsp_world *world, const vsp__span *span,
                             vsp__num h, warmth start)
{
    bool is_warm = start == WARM && world->params.warm_start != 0;
    bool is_searched = is_warm && vsp__is_carry(world);

    if (is_searched)
        vsp__line_search_begin(world, true);
    vsp__assemble_rows(world, span, h, start == WARM);
    if (is_searched)
        vsp__line_search_end(world, true);
    if (VSP_JOINTS && is_warm)
        vsp__warm_start_joints(world, span);
    if (VSP_JOINTS && is_warm && !vsp__is_shock(world) &&
        !vsp__is_subspace(world) && span->first_joint != span->last_joint)
        vsp__drop_bad_starts(world, span, h);
    if (start == COLD)
        vsp__save_multipliers(world);
}

/* A vsp__do_piece: moves bodies. */
static void move_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    const step_work *job = (const step_work *)work;
    const uint16_t *order = vsp__solve_of(job->world)->stack_order +
                            job->span->first_body;

    (void)piece;
    for (; first < last; first++) {
        vsp__num h = job->h;

        if (VSP_CCD)
            h = vsp__cut_move(job->world, order[first], h);
        vsp__move_body(job->world, order[first], h);
    }
}

/* Eq. 45e: moves the bodies of a span by h seconds; bullets only for the time
 * that their flight before the solve has left, or as far as their first
 * contact.  Kinematic bodies are in no span. */
static void move_bodies(vsp_world *world, const vsp__span *span, vsp__num h)
{
    step_work job;

    if (VSP_CCD)
        vsp__find_times_of_impact(world, span->first_body, span->last_body, h,
                                  is_layer(span));
    start_step_work(world, span, h, &job);
    vsp__share_work(world, move_piece, &job, bodies_of(span), LEAST_BODIES);
}

/* Moves kinematic bodies for a whole step. */
static void move_kinematic(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++)
        if (world->bodies[i].type == (uint32_t)VSP_KINEMATIC + 1u)
            vsp__move_body(world, i, world->params.dt);
}

/* A vsp__do_piece: applies forces to bodies. */
static void force_piece(void *work, uint32_t piece, uint32_t first,
                        uint32_t last)
{
    const step_work *job = (const step_work *)work;
    const uint16_t *order = vsp__solve_of(job->world)->stack_order +
                            job->span->first_body;

    (void)piece;
    for (; first < last; first++)
        vsp__apply_forces(job->world, order[first], job->h);
}

/* Eq. 45a and 45b: u + h M^-1 f_ext, and the complementarity problem of the
 * velocities. */
static void begin_dynamics(vsp_world *world, const vsp__span *span, vsp__num h,
                           warmth start)
{
    step_work job;

    start_step_work(world, span, h, &job);
    vsp__share_work(world, force_piece, &job, bodies_of(span), LEAST_BODIES);
    assemble_problem(world, span, h, start);
}

/* Restores the stored impulses; those of the cold solve are added to
 * reports. */
static void end_cold_start(vsp_world *world, const vsp__span *span)
{
    if (VSP_SHOCK)
        vsp__begin_whole_impulses(world, span);
    vsp__restore_multipliers(world);
}

/* A vsp__do_piece: damps the noise of bodies. */
static void damp_piece(void *work, uint32_t piece, uint32_t first,
                       uint32_t last)
{
    const step_work *job = (const step_work *)work;
    const uint16_t *order = vsp__solve_of(job->world)->stack_order +
                            job->span->first_body;

    (void)piece;
    for (; first < last; first++)
        vsp__damp_noise(job->world, order[first]);
}

/* Damps the noise of bodies at rest: layer by layer, as it reads whether the
 * bodies below are at rest.  With SUBSPACE it first rebuilds the layers, which
 * islands had replaced, for this and for the correction. */
static void damp_noise_by_layer(vsp_world *world, const vsp__span *span)
{
    bool is_shared = vsp__has_workers(world) && !span->is_layer;
    vsp__span layer;
    uint32_t k;
    step_work job;

    if (vsp__is_subspace(world))
        vsp__build_stack(world, false);
    start_step_work(world, span, 0, &job);
    if (!is_shared)
        damp_piece(&job, 0, 0, bodies_of(span));
    for (k = 0; is_shared && k <= world->layer_count; k++) {
        stack_layer(world, k, &layer);
        job.span = &layer;
        vsp__share_work(world, damp_piece, &job, bodies_of(&layer),
                        LEAST_BODIES);
    }
}

/* Eq. 45e.  Eq. 45d is done already, as the solver changes velocities
 * together with multipliers.  With SUBSPACE the merits of islands are
 * already summed up. */
static void end_dynamics(vsp_world *world, const vsp__span *span, vsp__num h,
                         warmth start)
{
    if (VSP_MERIT && !is_layer(span) && !vsp__is_subspace(world))
        world->stats.merit = vsp__velocity_merit(world, span);
    if (VSP_HINGE_LOOPS && vsp__is_subspace(world))
        vsp__project_hinge_loops(world, span); /* searches do not keep the
                                                  planes */
    if (start == WARM) {
        vsp__store_impulses(world, span);
        damp_noise_by_layer(world, span);
    } else
        end_cold_start(world, span);
    end_phase(world, PHASE_SOLVE);
    move_bodies(world, span, h);
    if (!is_layer(span))
        move_kinematic(world);
    end_phase(world, PHASE_REST);
}

/* Sweeps the rows of a span.  Mueller et al. 2017, section 3.6: finds supported
 * bodies after some of the sweeps, and freezes them in the rest. */
#if VSP_SUPPORTS
static void sweep_span(vsp_world *world, const vsp__span *span,
                       vsp__num tolerance)
{
    uint32_t sweeps = world->params.sweeps, late = sweeps / 2u;

    if (!vsp__has_supports(world))
        late = 0;
    else
        vsp__forget_supported(world);
    if (vsp__sweep_rows(world, span, sweeps - late, tolerance) < tolerance ||
        late == 0)
        return;
    vsp__find_supported(world, true);
    vsp__sweep_rows(world, span, late, tolerance);
}
#else
static void sweep_span(vsp_world *world, const vsp__span *span,
                       vsp__num tolerance)
{
    vsp__sweep_rows(world, span, world->params.sweeps, tolerance);
}
#endif

/* Most repeated solves while points that should bounce in the next step are
 * stopped: a freed solid may hit another one. */
#define MAX_BOUNCE_SOLVES 3u

/* Frees the points that should bounce but are stopped.  Returns whether to
 * solve again. */
static bool let_bounces_pass(vsp_world *world, const vsp__span *span)
{
    if (!vsp__free_bounces(world, span))
        return false;
    if (VSP__LANE_COUNT > 1) /* lanes hold copies of the biases */
        vsp__invalidate_lanes(world);
    return true;
}

/* dynamics(h), eq. 45.  Projected Gauss-Seidel sweeps solve its complementarity
 * problem, 45c.  SHOCK always makes all sweeps: its first solve takes so little
 * of the weight that residuals below the tolerance would add up. */
static void dynamics(vsp_world *world, const vsp__span *span, vsp__num h,
                     warmth start)
{
    bool is_empty = span->first == span->last &&
                    span->first_joint == span->last_joint;
    vsp__num tolerance = vsp__is_shock(world) ? 0 : vsp__sweep_tolerance(world);
    uint32_t k = 0;

    begin_dynamics(world, span, h, start);
    if (!is_layer(span) || !is_empty)
        do
            sweep_span(world, span, tolerance);
        while (k++ < MAX_BOUNCE_SOLVES && let_bounces_pass(world, span));
    end_dynamics(world, span, h, start);
}

/* A vsp__do_piece: measures the gaps of manifolds. */
static void refresh_piece(void *work, uint32_t piece, uint32_t first,
                          uint32_t last)
{
    const step_work *job = (const step_work *)work;
    const uint16_t *order = job->world->layer_order + job->span->first;

    (void)piece;
    for (; first < last; first++)
        vsp__refresh_manifold(job->world, job->span->list, order[first]);
}

/* Measures the gaps of a span again, as bodies moved. */
static void refresh_gaps(vsp_world *world, const vsp__span *span)
{
    step_work job;

    start_step_work(world, span, 0, &job);
    vsp__share_work(world, refresh_piece, &job, span->last - span->first,
                    LEAST_MANIFOLDS);
}

/* Most repeated corrections, if webs are still open. */
#define MAX_WEB_CORRECTIONS 3u

/* correction(), eq. 46.  In a layer, gaps are measured again, as bodies moved
 * since the collision detection.  Returns whether anything moved. */
static bool correction(vsp_world *world, const vsp__span *span)
{
    bool is_changed;
    uint32_t k;

    if (is_layer(span))
        refresh_gaps(world, span);
    is_changed = vsp__correct_positions(world, span);
    for (k = 0; VSP_RANGES && is_changed && k < MAX_WEB_CORRECTIONS &&
                vsp__are_webs_open(world, span);
         k++) {
        refresh_gaps(world, span);
        (void)vsp__correct_positions(world, span);
    }
    end_phase(world, PHASE_CORRECT);
    return is_changed;
}

/* shock-propagation(correction()), figure 12.  A fixation is part of its span,
 * so there is no un-fixate.  Returns whether anything moved. */
static bool correct_layers(vsp_world *world)
{
    bool is_changed = false;
    vsp__span layer;
    uint32_t k;

    for (k = 0; k <= world->layer_count; k++) {
        stack_layer(world, k, &layer);
        fixate_below(&layer, k);
        is_changed = correction(world, &layer) || is_changed;
    }
    return is_changed;
}

/* In the layers of SHOCK, joined bodies have one height.  Computes heights of
 * their own, and corrects layer by layer. */
static void correct_joined(vsp_world *world, const vsp__span *all)
{
    if (!VSP_JOINTS || all->first_joint == all->last_joint)
        return;
    vsp__build_stack(world, false);
    correct_layers(world);
}

/* Collision detection at time t + dT: the span then contains the after list. */
static void collide_again(vsp_world *world, vsp__span *all)
{
    vsp__detect_contacts(world, VSP__CONTACTS_AFTER);
    all->list = VSP__CONTACTS_AFTER;
    all->last = world->contacts[VSP__CONTACTS_AFTER].manifold_count;
    end_phase(world, PHASE_DETECT);
}

/* correction() at time t + dT.  Bodies that fell are first moved out of bodies
 * that stood, which are fixated meanwhile: otherwise a heavy roof would push
 * light bricks aside. */
static void correct_again(vsp_world *world, vsp__span *all)
{
    vsp__span fallen;

    collide_again(world, all);
    if (vsp__correct_fallen(world, all, &fallen))
        refresh_gaps(world, &fallen);
    correction(world, all);
}

/* Whether joints have an error after the correction by layers, which leaves out
 * the joints of loops. */
static bool are_loops_open(vsp_world *world, const vsp__span *all)
{
    return VSP_JOINTS &&
           vsp__joint_error(world, all) > vsp__correction_tolerance(world);
}

/* The position solve of CARRY and SUBSPACE: figure 12, then the last two lines
 * of figure 14, unless bodies moved too little for new contacts. */
static void correct_all_positions(vsp_world *world, vsp__span *all)
{
    bool is_changed = correct_layers(world) || are_loops_open(world, all);

    if (!vsp__needs_detection_again(world, is_changed))
        return;
    correct_again(world, all);
}


/* ---- Steppers --------------------------------------------------------------
 * See vsp_stepper, and section 9 of DESIGN.md. */

/* VSP_STEPPER_PGS: section 3 of Erleben 2007, which is figure 14 with a = 1, so
 * there is no shock propagation. */
static void step_pgs(vsp_world *world)
{
    vsp__span all;

    detect_collisions(world);
    (void)stack_layers(world, &all);
    dynamics(world, &all, world->params.dt, WARM);
    collide_again(world, &all);
    correction(world, &all);
}

/* Computes the impulses in the whole step, for reports: a layer was solved, for
 * `part` seconds, with the bodies below it fixated, without its weight on
 * them. */
static void find_loads(vsp_world *world, vsp__num part)
{
    vsp__span layer;
    uint32_t k = world->layer_count + 1u;

    if (!VSP_SHOCK)
        return;
    vsp__clear_loads(world);
    while (k-- > 0) {
        stack_layer(world, k, &layer);
        fixate_below(&layer, k);
        vsp__bear_loads(world, &layer, part);
    }
    end_phase(world, PHASE_SOLVE);
}

/* VSP_STEPPER_SHOCK: figure 14, velocity-based shock propagation.  Differences
 * from the paper, and choices it leaves open:
 *
 *     - dynamics(a dT) starts from multipliers of 0, layers start warm.
 *     - Fixated bodies keep their velocity.  Floating bodies are a layer.
 *     - One propagation does dynamics and correction, with gaps measured again
 *       in between.
 *     - Restitution uses the velocities before the step.  Open gaps may close.
 *     - Kinematic bodies move by dT in dynamics(a dT).
 *     - Joints get a second shock propagation of correction(). */
static void step_shock(vsp_world *world)
{
    vsp__num dt = world->params.dt, a_dt = u_mul(world->params.fraction, dt);
    vsp__span all, layer;
    uint32_t k;

    detect_collisions(world);                   /* at time t */
    (void)stack_layers(world, &all);            /* contact graph */
    dynamics(world, &all, a_dt, COLD);          /* dynamics(a dT) */
    for (k = 0; k <= world->layer_count; k++) { /* shock-propagation( */
        stack_layer(world, k, &layer);
        fixate_below(&layer, k);
        dynamics(world, &layer, dt - a_dt, WARM); /* dynamics((1-a) dT), */
        correction(world, &layer);                /* correction() ) */
    }
    find_loads(world, dt - a_dt);
    correct_joined(world, &all);
    correct_again(world, &all); /* at time t + dT */
}

/* Predicts velocities from the bottom up and carries loads from the top down; a
 * line search keeps the fraction of that change that lowers the objective.
 * Then sweeps solve contacts that slide, tip or collide.  Returns the residual,
 * m/s. */
static vsp__num carry_round(vsp_world *world, const vsp__span *all,
                            uint32_t sweeps, vsp__num tolerance)
{
    vsp__predict_velocities(world);
    vsp__line_search_begin(world, false);
    vsp__carry_loads(world);
    vsp__line_search_end(world, false);
    return vsp__sweep_rows(world, all, sweeps, tolerance);
}

/* Whether no body of a span moved before the step. */
static bool is_motionless(const vsp_world *world, const vsp__span *span)
{
    const uint16_t *order = vsp__solve_of(world)->stack_order;
    uint32_t i = span->first_body;

    while (i < span->last_body && vsp__is_at_rest(world->bodies + order[i]))
        i++;
    return i == span->last_body;
}

/* Returns the fraction of the tolerance at which the sweeps of a quiet world
 * stop.  In fixed point it is by default one last place of a velocity while a
 * world moves slowly, as an arch that barely stands, and two in a still world:
 * rounding alone changes multipliers by one last place, and more sweeps would
 * only make the world move. */
static vsp__num quiet_part(uint32_t stir)
{
    if (!VSP_FIXED)
        return VSP__UNIT(0.01);
    return stir == VSP__STIR_NONE ? VSP__UNIT(0.16) : VSP__UNIT(0.1);
}

/* Returns the residual, m/s, of a first sweep that is enough if nothing moved
 * before the step: smaller speeds are damped as noise.  Where forces in a pile
 * can be distributed in many ways, more sweeps may change them for ever.  In
 * fixed point it is by default at least four last places. */
static vsp__num rest_residual(const vsp_world *world)
{
    vsp__num noise = vsp__noise_speed(world, world->layer_count);

    if (!VSP_FIXED)
        return noise;
    return r_max(noise, u_mul(VSP__UNIT(0.32), world->params.tolerance));
}

/* root of a ratio of masses: a body this much heavier than another throws it
 * aside if its own impulse is off by a small part */
#define CRUSHING_ROOT VSP__REAL(256.0)

/* Whether a body of a span has 65,536 times the mass of another. */
static bool has_crushing_body(const vsp_world *world, const vsp__span *span)
{
    const uint16_t *order = vsp__solve_of(world)->stack_order;
    const vsp__body *lightest = NULL, *heaviest = NULL;
    vsp__wide limit;
    uint32_t i;

    for (i = span->first_body; i < span->last_body; i++) {
        const vsp__body *b = world->bodies + order[i];

        if (!vsp__is_dynamic(b))
            continue;
        if (!lightest || w_less(b->mass_data.mass, lightest->mass_data.mass))
            lightest = b;
        if (!heaviest || w_less(heaviest->mass_data.mass, b->mass_data.mass))
            heaviest = b;
    }
    if (!lightest)
        return false;
    limit = w_mul(lightest->mass_data.mass, w_of_real(CRUSHING_ROOT));
    limit = w_mul(limit, w_of_real(CRUSHING_ROOT));
    return w_less(limit, heaviest->mass_data.mass);
}

/* Returns the residual, m/s, at which the first round of a fast world has
 * settled.  After an impact that is what gravity adds to a velocity in a step,
 * as the correction removes the overlaps of smaller errors.  But the correction
 * leaves the overlaps of shells, in a pile that settles its lifts would add up,
 * and below a crushing body no error is small: in these cases the result is ten
 * times the tolerance. */
static vsp__num settled_residual(const vsp_world *world, const vsp__span *all,
                                 uint32_t stir)
{
    vsp__num settled = r_mul(world->params.tolerance, VSP__REAL(10.0));

    if (stir != VSP__STIR_IMPACT ||
        (VSP_SHELLS && vsp__paths_of(world)->shell_count > 0) ||
        has_crushing_body(world, all))
        return settled;
    return r_max(settled, world->gravity_speed);
}

/* The first round of CARRY.  Returns the residual, m/s, or 0 if nothing moved
 * before the step and one sweep is enough. */
static vsp__num first_round(vsp_world *world, const vsp__span *all,
                            uint32_t stir, vsp__num tolerance)
{
    uint32_t sweeps = (world->params.sweeps + 1u) / 2u;
    vsp__num residual;

    if (stir != VSP__STIR_NONE || !is_motionless(world, all))
        return carry_round(world, all, sweeps, tolerance);
    residual = carry_round(world, all, 1, tolerance);
    if (residual < r_max(rest_residual(world), tolerance))
        return 0;
    if (sweeps == 1)
        return residual;
    return vsp__sweep_rows(world, all, sweeps - 1u, tolerance);
}

/* Solves for the velocities of CARRY in one or two rounds.  The second round,
 * if the first has not settled, prevents a brick from leaving an impact faster
 * than the body that hit it.  A quiet world gets more sweeps: their error is
 * noise that keeps piles moving, and once it is gone one sweep is enough. */
static void solve_carry(vsp_world *world, const vsp__span *all, uint32_t stir)
{
    uint32_t sweeps = world->params.sweeps, k;
    vsp__num tolerance = world->params.tolerance, residual;
    vsp__num settled = settled_residual(world, all, stir);
    bool is_quiet = stir < VSP__STIR_FAST;

    if (is_quiet)
        settled = tolerance = r_flush(u_mul(quiet_part(stir), tolerance));
    if (!(first_round(world, all, stir, tolerance) > settled))
        return;
    vsp__flush_solution(world, all);
    residual = carry_round(world, all, sweeps, tolerance);
    for (k = 0; k < 2 && is_quiet && residual > tolerance; k++) {
        vsp__flush_solution(world, all);
        residual = vsp__sweep_rows(world, all, sweeps, tolerance);
    }
}

/* VSP_STEPPER_CARRY: dynamics(dT), whose problem solve_carry solves, then shock
 * propagation of corrections. */
static void step_carry(vsp_world *world)
{
    vsp__num dt = world->params.dt;
    vsp__span all;
    uint32_t stir, k;

    detect_collisions(world);
    stir = stack_layers(world, &all);
    begin_dynamics(world, &all, dt, WARM);
    solve_carry(world, &all, stir);
    for (k = 0; k < MAX_BOUNCE_SOLVES && let_bounces_pass(world, &all); k++)
        solve_carry(world, &all, VSP__STIR_IMPACT);
    end_dynamics(world, &all, dt, WARM);
    correct_all_positions(world, &all);
}

/* PGS-SM for one island.  The merit of the world is the sum over islands, its
 * residual the largest. */
static void solve_island(vsp_world *world, const vsp__span *island)
{
    vsp__counters *stats = &world->stats;
    vsp__num largest = stats->residual;
    vsp__wide others = stats->merit;
    uint32_t k = 0;

    do
        if (VSP_SUBSPACE)
            stats->merit = w_add(others, vsp__solve_subspace(world, island));
    while (k++ < MAX_BOUNCE_SOLVES && let_bounces_pass(world, island));
    stats->residual = r_largest(largest, stats->residual);
}

/* VSP_STEPPER_SUBSPACE: dynamics(dT), solved island by island with the PGS-SM
 * method of Silcowitz, Niebe and Erleben, 2010; then shock propagation of
 * corrections, for which the layers are rebuilt. */
static void step_subspace(vsp_world *world)
{
    vsp__num dt = world->params.dt;
    vsp__span all, island;
    uint32_t k;

    detect_collisions(world);
    (void)stack_layers(world, &all); /* whose layers are islands */
    begin_dynamics(world, &all, dt, WARM);
    for (k = 0; k <= world->layer_count; k++) {
        stack_layer(world, k, &island);
        solve_island(world, &island);
    }
    end_dynamics(world, &all, dt, WARM);
    correct_all_positions(world, &all);
}


/* ---- The step ------------------------------------------------------------ */

/* Makes statistics finite even if the solve was not. */
static void tidy_stats(vsp__counters *stats)
{
    if (!r_is_finite(stats->residual))
        stats->residual = r_read(VSP_MAX_FORCE);
    if ((VSP_MERIT || VSP_SUBSPACE) && !w_is_finite(stats->merit))
        stats->merit = w_read(VSP_MAX_FORCE);
}

static void clear_forces(vsp_world *world)
{
    uint32_t i;

    for (i = 0; i < world->body_limit; i++) {
        vsp__body *b = world->bodies + i;

        vsp__zero_bytes(&b->force, 2u * sizeof b->force); /* and torque */
    }
}

/* After the last move: joints that break, events, sleep, warm starting. */
static void end_step(vsp_world *world)
{
    tidy_stats(&world->stats);
    if (VSP_JOINTS)
        vsp__finish_joints(world);
    if (VSP__HITS)
        vsp__drop_missed_hits(world);
    if (VSP_EVENTS)
        vsp__report_contacts(world);
    if (VSP_SLEEP)
        vsp__update_sleep(world);
    if (vsp__uses_warm_records(&world->params, vsp__has_pair_rules(world)))
        vsp__store_warm_records(world);
    if (VSP_SHOCK && vsp__is_shock(world))
        vsp__show_whole_impulses(world);
    if (VSP_UNIONS)
        vsp__part_unions(world);
    world->stats.contacts_dropped =
        world->contacts[VSP__CONTACTS_SOLVED].dropped >
                world->contacts[VSP__CONTACTS_AFTER].dropped
            ? world->contacts[VSP__CONTACTS_SOLVED].dropped
            : world->contacts[VSP__CONTACTS_AFTER].dropped;
}

static void step_once(vsp_world *world)
{
    if (VSP_UNIONS)
        vsp__join_unions(world);
    if (VSP_SHELLS)
        vsp__open_paths(world);
    if (VSP_CCD)
        vsp__start_impacts(world);
    if (vsp__is_carry(world))
        step_carry(world);
    else if (vsp__is_shock(world))
        step_shock(world);
    else if (vsp__is_subspace(world))
        step_subspace(world);
    else
        step_pgs(world);
    if (VSP_HINGE_LOOPS)
        vsp__flatten_hinge_loops(world);
    if (VSP_SHELLS)
        vsp__clear_paths(world);
    end_step(world);
}

/* Returns whether the step must be retaken, because shells would hit, or unions
 * break or bend: then other bodies move. */
static bool is_step_retaken(vsp_world *world)
{
    if (VSP_SHELLS && vsp__retakes_paths(world))
        return true;
    if (!VSP_UNIONS || !vsp__finish_unions(world))
        return false;
    if (VSP_SHELLS)
        vsp__start_paths(world);
    return true;
}

static void take_step(vsp_world *world)
{
    if (VSP_UNIONS)
        vsp__start_unions(world);
    if (VSP_SHELLS)
        vsp__start_paths(world);
    if (VSP_UNIONS || VSP_SHELLS)
        vsp__save_step(world);
    do
        step_once(world);
    while (is_step_retaken(world));
}

/* Whether contacts may be missing. */
static bool is_degraded(const vsp__counters *stats)
{
    return stats->contacts_dropped > 0 ||
           (stats->spent & (VSP_SPENT_PAIRS | VSP_SPENT_PARTS)) != 0;
}

vsp_status vsp_world_step(vsp_world *world)
{
    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    vsp__clear_step_stats(&world->stats);
    start_clock(world);
    world->changes++;
    if (VSP_EVENTS)
        vsp__clear_events(world);
    if (VSP_SLEEP && vsp__is_all_at_rest(world)) {
        vsp__forget_contacts(world);
        world->rested = world->changes;
    } else {
        take_step(world);
    }
    clear_forces(world);
    world->params.tick++;
    end_phase(world, PHASE_REST);
    return is_degraded(&world->stats) ? VSP_DEGRADED : VSP_OK;
}

#if VSP_WORKERS

static bool are_workers(const vsp_workers *workers)
{
    return workers->run != NULL && workers->count > 0 &&
           workers->count <= VSP__MOST_PIECES;
}

vsp_status vsp_world_set_workers(vsp_world *world, const vsp_workers *workers)
{
    if (!vsp__is_world(world) || (workers != NULL && !are_workers(workers)))
        return VSP_ERR_ARG;
    if (workers != NULL)
        vsp__crew_of(world)->workers = *workers;
    if (workers == NULL || workers->count == 1)
        vsp__crew_of(world)->workers.run = NULL;
    return VSP_OK;
}

vsp_status vsp_world_step_with(vsp_world *world, const vsp_workers *workers)
{
    vsp_workers before;
    vsp_status status;

    if (!vsp__is_world(world))
        return VSP_ERR_ARG;
    before = vsp__crew_of(world)->workers;
    status = vsp_world_set_workers(world, workers);
    if (status != VSP_OK)
        return status;
    status = vsp_world_step(world);
    vsp__crew_of(world)->workers = before;
    return status;
}

#endif /* VSP_WORKERS */
