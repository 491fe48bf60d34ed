/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Rules of pairs (VSP_PAIR_RULES): heroes that jump through ledges. */

#include "builder.h"
#include "scene_table.h"

#if SCENES_LEDGES

/* categories */
enum { OTHERS = 1, LEDGES = 2, HEROES = 4, ICY = 8, BOUNCY = 16 };

#define HERO_COUNT 5 /* marks 0 to HERO_COUNT - 1 */
#define LIFT_MARK HERO_COUNT

static void set_pair_rule(scene_run *run, uint32_t index,
                          const vsp_pair_rule *rule)
{
    if (vsp_record_set_pair_rule(scene_recorder(run), index, rule) < 0)
        run->failures++;
}

static void set_rules(scene_run *run)
{
    vsp_pair_rule rule = vsp_pair_rule_default();

    rule.a = LEDGES;
    rule.b = HEROES;
    rule.flags = VSP_PAIR_ONE_WAY;
    rule.friction = VSP_R(0.75);
    rule.hit_speed = VSP_R(2.0);
    set_pair_rule(run, 0, &rule);
    rule = vsp_pair_rule_default();
    rule.a = ICY;
    rule.b = 0xffffffffu;
    rule.friction = VSP_R(0.0);
    set_pair_rule(run, 1, &rule);
    rule.a = BOUNCY;
    rule.friction = VSP_R(-1.0);
    rule.restitution = VSP_R(0.625);
    rule.hit_speed = VSP_R(1.0);
    set_pair_rule(run, 2, &rule);
    rule = vsp_pair_rule_default();
    rule.a = rule.b = HEROES;
    rule.mass_a = VSP_R(0.25);
    set_pair_rule(run, 3, &rule);
}

static vsp_body_id add_with(scene_run *run, piece it, vsp_body_type type,
                            uint32_t category, double rise)
{
    vsp_body_def def = vsp_body_def_default();

    it.type = type;
    piece_body(run, &it, &def);
    def.shape.filter.category = category;
    def.velocity = real_vec(make_vec(0.0, rise, 0.0));
    return create_body(run, &def);
}

static void add_ledge(scene_run *run, double x, double y)
{
    (void)add_with(run,
                   box_piece(make_vec(x, y, 0.0), make_vec(1.25, 0.125, 1.0)),
                   VSP_STATIC, LEDGES, 0.0);
}

/* Four ledges, one of which is a lift; heroes below, in and above them, two of
 * them one on the other; a box on ice, a ball over rubber.  marks 0 to 4: the
 * heroes; 5: the lift */
void build_ledges(scene_run *run)
{
    vec half = make_vec(0.25, 0.25, 0.25);

    add_floor(run, 0.5, 0.0);
    set_rules(run);
    add_ledge(run, -1.5, 1.375);
    add_ledge(run, -1.5, 2.875);
    add_ledge(run, 1.5, 2.125);
    run->marks[0] = add_with(run, box_piece(make_vec(-2.0, 0.25, 0.0), half),
                             VSP_DYNAMIC, HEROES, 6.5);
    run->marks[1] = add_with(run, box_piece(make_vec(-1.25, 1.625, 0.0), half),
                             VSP_DYNAMIC, HEROES, 2.25);
    run->marks[2] = add_with(run, ball_piece(make_vec(1.5, 2.625, 0.0), 0.25),
                             VSP_DYNAMIC, HEROES, -6.0);
    run->marks[3] = add_with(run, box_piece(make_vec(-1.25, 3.25, 0.0), half),
                             VSP_DYNAMIC, HEROES, 0.0);
    run->marks[4] = add_with(run, box_piece(make_vec(-1.25, 3.75, 0.0), half),
                             VSP_DYNAMIC, HEROES, 0.0);
    run->marks[LIFT_MARK] = add_with(
        run, box_piece(make_vec(4.5, 0.875, 0.0), make_vec(1.0, 0.125, 1.0)),
        VSP_KINEMATIC, LEDGES, 1.0);
    (void)add_with(run, box_piece(make_vec(4.5, 1.25, 0.0), half), VSP_DYNAMIC,
                   HEROES, 0.0);
    (void)add_with(
        run, box_piece(make_vec(8.0, 0.125, 0.0), make_vec(1.5, 0.125, 1.0)),
        VSP_STATIC, ICY, 0.0);
    (void)add_with(run, box_piece(make_vec(8.0, 0.5, 0.0), half), VSP_DYNAMIC,
                   OTHERS, 0.0);
    (void)add_with(
        run, box_piece(make_vec(-6.0, 0.125, 0.0), make_vec(1.5, 0.125, 1.0)),
        VSP_STATIC, BOUNCY, 0.0);
    (void)add_with(run, ball_piece(make_vec(-6.0, 0.75, 0.0), 0.25),
                   VSP_DYNAMIC, OTHERS, -2.0);
}

static void set_speed(scene_run *run, vsp_body_id id, double rise)
{
    vsp_vec3 velocity = vsp_body_velocity(run->world, id);

    velocity.y = scene_real(rise);
    if (vsp_record_body_set_velocity(scene_recorder(run), id, velocity,
                                     vsp_body_spin(run->world, id)) < 0)
        run->failures++;
}

/* The heroes jump one after the other; the lift goes up and down. */
void drive_ledges(scene_run *run, uint32_t step)
{
    if (step % 32 == 31)
        set_speed(run, run->marks[step / 32 % HERO_COUNT], 6.5);
    if (step % 64 == 0)
        set_speed(run, run->marks[LIFT_MARK], step / 64 % 2 ? -1.0 : 1.0);
}

#endif
