/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The demo game, in this order: bodies, start, step, bots. */

#include "game.h"

#define SPEED VSP_R(5.0)       /* m/s, along each axis */
#define GAIN VSP_R(0.4)        /* m/s: change of the speed in a step */
#define DASH_SPEED VSP_R(10.0) /* m/s */
#define DASH_PAUSE 60u         /* steps */
#define JUMP_SPEED VSP_R(5.0)  /* m/s */
#define HEAVY 4u               /* every fourth crate is heavy */

static const vsp_vec3 nothing = {VSP_R(0.0), VSP_R(0.0), VSP_R(0.0)};


/* Returns x times a sign: -1, 0 or 1. */
static vsp_real signed_of(vsp_real x, int sign)
{
    return sign > 0 ? x : sign < 0 ? -x : VSP_R(0.0);
}


/* ---- Bodies -------------------------------------------------------------- */

uint32_t game_random(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static vsp_body_def wall_def(vsp_real x, vsp_real z, vsp_real half_x,
                             vsp_real half_z)
{
    vsp_body_def def = vsp_body_def_default();

    def.pose.position.x = x;
    def.pose.position.y = VSP_R(0.4);
    def.pose.position.z = z;
    def.shape = vsp_box(half_x, VSP_R(0.4), half_z);
    return def;
}

/* Returns a ball that does not roll: the input sets its velocity. */
static vsp_body_def ball_def(uint32_t player)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.pose.position.x = player == 0 ? VSP_R(-4.0) : VSP_R(4.0);
    def.pose.position.y = GAME_BALL;
    def.shape = vsp_sphere(GAME_BALL);
    def.shape.density = VSP_R(400.0);
    def.shape.material.friction = VSP_R(0.0);
    def.locks = VSP_LOCK_TURN_X | VSP_LOCK_TURN_Y | VSP_LOCK_TURN_Z;
    def.max_speed = VSP_R(20.0);
    return def;
}

static vsp_body_def crate_def(uint32_t crate, vsp_vec3 place)
{
    vsp_body_def def = vsp_body_def_default();

    def.type = VSP_DYNAMIC;
    def.pose.position = place;
    def.shape = vsp_box(GAME_CRATE, GAME_CRATE, GAME_CRATE);
    def.shape.density = crate % HEAVY == 0 ? VSP_R(400.0) : VSP_R(100.0);
    def.max_speed = VSP_R(20.0);
    def.user = crate;
    return def;
}

/* Returns the first position of a crate: four rows of three in the middle. */
static vsp_vec3 first_place(uint32_t crate)
{
    vsp_vec3 place;

    place.x = VSP_R(1.25) * (vsp_real)(crate / 3u) - VSP_R(1.875);
    place.y = GAME_CRATE;
    place.z = VSP_R(1.5) * (vsp_real)(crate % 3u) - VSP_R(1.5);
    return place;
}

/* Returns a random coordinate, -2 to 2 m. */
static vsp_real draw_place(uint32_t *random)
{
    return VSP_R(0.5) * (vsp_real)((game_random(random) >> 16) % 9u) -
           VSP_R(2.0);
}

/* Returns a random position above the middle, to drop a crate from. */
static vsp_vec3 next_place(uint32_t *random)
{
    vsp_vec3 place;

    place.x = draw_place(random);
    place.y = VSP_R(4.0);
    place.z = draw_place(random);
    return place;
}


/* ---- Beginning ----------------------------------------------------------- */

vsp_world_def game_world_def(void)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = VSP_R(1.0 / 60.0);
    /* Capacities of port/template/small.h.  They are state, so larger builds
     * must use the same. */
    def.capacity.bodies = 32;
    def.capacity.shapes = 32;
    def.capacity.pairs = 128;
    def.capacity.manifolds = 80;
    def.capacity.contacts = 192;
    def.capacity.sensed = 1;
    def.capacity.joints = 0;
    return def;
}

/* Adds ground and walls.  Slots are filled in order, as game.h numbers them. */
static bool add_walls(vsp_world *world)
{
    const vsp_real thick = VSP_R(0.25);
    const vsp_real x = GAME_HALF_X + thick, z = GAME_HALF_Z + thick;
    vsp_body_def def = vsp_body_def_default();
    bool ok;
    int side;

    def.shape = vsp_half_space();
    ok = vsp_body_create(world, &def, NULL) >= 0;
    for (side = -1; side <= 1; side += 2) {
        def = wall_def(signed_of(x, side), VSP_R(0.0), thick, z + thick);
        ok = ok && vsp_body_create(world, &def, NULL) >= 0;
        def = wall_def(VSP_R(0.0), signed_of(z, side), GAME_HALF_X, thick);
        ok = ok && vsp_body_create(world, &def, NULL) >= 0;
    }
    return ok;
}

bool game_begin(game *it, vsp_world *world, uint32_t seed)
{
    vsp_body_def def;
    uint32_t i;
    bool ok = add_walls(world);

    for (i = 0; i < GAME_PLAYERS; i++) {
        def = ball_def(i);
        ok = ok && vsp_body_create(world, &def, NULL) >= 0;
    }
    for (i = 0; i < GAME_CRATES; i++) {
        def = crate_def(i, first_place(i));
        ok = ok && vsp_body_create(world, &def, NULL) >= 0;
    }
    it->world = world;
    for (i = 0; i < GAME_WORDS; i++)
        it->words[i] = 0;
    it->words[GAME_RANDOM] = seed | 1u;
    return ok;
}

void game_define(game *it, vsp_rollback_def *def)
{
    def->world = it->world;
    def->players = GAME_PLAYERS;
    def->input_size = GAME_INPUT_BYTES;
    def->snapshot_size = GAME_SNAPSHOT_BYTES;
    def->game = it->words;
    def->game_words = GAME_WORDS;
    def->step = game_step;
    def->is_input = game_is_input;
    def->user = it;
}


/* ---- A step -------------------------------------------------------------- */

bool game_is_input(void *user, uint32_t player, const unsigned char *input)
{
    const unsigned across = GAME_LEFT | GAME_RIGHT;
    const unsigned along = GAME_UP | GAME_DOWN;

    (void)user;
    (void)player;
    return *input < 64u && (*input & across) != across &&
           (*input & along) != along;
}

/* Returns -1, 0 or 1 for one axis. */
static int direction(unsigned input, unsigned low, unsigned high)
{
    return ((input & high) != 0) - ((input & low) != 0);
}

/* Moves a speed by at most GAIN towards SPEED in a direction, -1, 0 or 1. */
static vsp_real nearer(vsp_real speed, int way)
{
    vsp_real wanted = signed_of(SPEED, way);

    if (speed < wanted)
        return speed + GAIN < wanted ? speed + GAIN : wanted;
    return speed - GAIN > wanted ? speed - GAIN : wanted;
}

static bool is_far(vsp_real x, vsp_real limit)
{
    return x > limit || x < -limit;
}

static vsp_status move_ball(game *it, vsp_recorder *recorder, uint32_t player,
                            unsigned input)
{
    vsp_body_id ball = vsp_body_at(it->world, GAME_FIRST_BALL + player);
    vsp_vec3 old = vsp_body_velocity(it->world, ball);
    vsp_real height = vsp_body_transform(it->world, ball).position.y;
    uint32_t *tired = &it->words[GAME_TIRED + player];
    int x = direction(input, GAME_LEFT, GAME_RIGHT);
    int z = direction(input, GAME_UP, GAME_DOWN);
    vsp_vec3 velocity;

    velocity.x = nearer(old.x, x);
    velocity.y = old.y;
    velocity.z = nearer(old.z, z);
    if (*tired > 0) {
        --*tired;
    } else if (input & GAME_DASH && (x != 0 || z != 0)) {
        *tired = DASH_PAUSE;
        velocity.x = signed_of(DASH_SPEED, x);
        velocity.z = signed_of(DASH_SPEED, z);
    }
    if (input & GAME_JUMP && height < GAME_BALL + VSP_R(0.02) &&
        old.y < VSP_R(0.5))
        velocity.y = JUMP_SPEED;
    if (velocity.x == old.x && velocity.y == old.y && velocity.z == old.z)
        return VSP_OK; /* a call would keep the ball awake */
    return vsp_record_body_set_velocity(recorder, ball, velocity, nothing);
}

/* Puts a ball that left the arena above its start. */
static vsp_status return_ball(game *it, vsp_recorder *recorder, uint32_t player)
{
    vsp_body_id ball = vsp_body_at(it->world, GAME_FIRST_BALL + player);
    vsp_transform pose = vsp_body_transform(it->world, ball);
    vsp_status status;

    if (!is_far(pose.position.x, GAME_HALF_X) &&
        !is_far(pose.position.z, GAME_HALF_Z))
        return VSP_OK;
    pose.position = ball_def(player).pose.position;
    pose.position.y = VSP_R(3.0);
    status = vsp_record_body_set_transform(recorder, ball, pose);
    if (status < 0)
        return status;
    return vsp_record_body_set_velocity(recorder, ball, nothing, nothing);
}

/* Counts a crate that scored.  Respawns a crate that scored or left the arena
 * in the middle, in the same slot. */
static vsp_status return_crate(game *it, vsp_recorder *recorder, uint32_t crate)
{
    vsp_body_id id = vsp_body_at(it->world, GAME_FIRST_CRATE + crate);
    vsp_vec3 at = vsp_body_transform(it->world, id).position;
    vsp_body_def def;
    vsp_status status;

    if (is_far(at.x, GAME_GOAL))
        it->words[GAME_SCORE + (at.x < VSP_R(0.0))]++;
    else if (!is_far(at.z, GAME_HALF_Z))
        return VSP_OK;
    def = crate_def(crate, next_place(&it->words[GAME_RANDOM]));
    status = vsp_record_body_destroy(recorder, id);
    if (status < 0)
        return status;
    return vsp_record_body_create(recorder, &def, NULL);
}

vsp_status game_step(void *user, vsp_recorder *recorder, const vsp_turn *turn)
{
    game *it = user;
    vsp_status status = VSP_OK;
    uint32_t i;

    for (i = 0; i < GAME_PLAYERS && status >= 0; i++)
        status = return_ball(it, recorder, i);
    for (i = 0; i < GAME_CRATES && status >= 0; i++)
        status = return_crate(it, recorder, i);
    for (i = 0; i < GAME_PLAYERS && status >= 0; i++)
        status = move_ball(it, recorder, i, turn->inputs[i]);
    return status < 0 ? status : vsp_record_step(recorder);
}


/* ---- Bots ---------------------------------------------------------------- */

/* Returns random bits, a function of seed, player and number. */
static uint32_t random_of(uint32_t seed, uint32_t player, uint32_t number)
{
    uint32_t x = (seed * 2654435761u ^ number * 2246822519u ^
                  (player + 1u) * 3266489917u) |
                 1u;

    game_random(&x);
    game_random(&x);
    return game_random(&x) >> 8;
}

/* Returns one of the eight directions, or none; at times with a jump or a
 * dash. */
static unsigned char random_input(uint32_t bits)
{
    static const unsigned char ways[] = {0,
                                         GAME_LEFT,
                                         GAME_RIGHT,
                                         GAME_UP,
                                         GAME_DOWN,
                                         GAME_LEFT | GAME_UP,
                                         GAME_LEFT | GAME_DOWN,
                                         GAME_RIGHT | GAME_UP,
                                         GAME_RIGHT | GAME_DOWN};
    unsigned input = ways[bits % 9u];

    if (bits / 16u % 16u == 0)
        input |= GAME_JUMP;
    if (bits / 256u % 8u == 0)
        input |= GAME_DASH;
    return (unsigned char)input;
}

unsigned char game_wander(uint32_t seed, uint32_t player, uint32_t step)
{
    return random_input(random_of(seed, player, step / 15u));
}

/* Returns the key that reduces a distance along an axis. */
static unsigned toward(vsp_real way, unsigned low, unsigned high)
{
    return way > VSP_R(0.15) ? high : way < VSP_R(-0.15) ? low : 0u;
}

static unsigned push_crate(vsp_vec3 me, vsp_vec3 crate, uint32_t player)
{
    unsigned forth = player == 0 ? GAME_RIGHT : GAME_LEFT;
    unsigned back = player == 0 ? GAME_LEFT : GAME_RIGHT;
    vsp_real x = player == 0 ? crate.x - me.x : me.x - crate.x;
    vsp_real z = crate.z - me.z;
    bool is_beside = is_far(z, VSP_R(1.0));

    if (x > VSP_R(0.7)) /* the ball is behind the crate */
        return toward(z, GAME_UP, GAME_DOWN) |
               (is_far(z, VSP_R(0.4)) ? 0u : forth);
    if (is_beside)
        return back;
    return z > VSP_R(0.0) ? GAME_UP | back : GAME_DOWN | back;
}

unsigned char game_bot(const game *it, uint32_t player, uint32_t seed,
                       uint32_t step)
{
    uint32_t mood = random_of(seed, player, step / 20u);
    uint32_t crate = random_of(seed, player, step / 300u) % GAME_CRATES;
    vsp_body_id me = vsp_body_at(it->world, GAME_FIRST_BALL + player);
    vsp_body_id aim = vsp_body_at(it->world, GAME_FIRST_CRATE + crate);
    unsigned input;

    if (mood % 4u == 0) /* now and then a random input, so that it does not
                         * get stuck */
        return random_input(mood / 4u);
    input = push_crate(vsp_body_center(it->world, me),
                       vsp_body_center(it->world, aim), player);
    if (mood % 16u == 1u)
        input |= GAME_DASH;
    return (unsigned char)input;
}
