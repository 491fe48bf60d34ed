/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The referee runs each machine as a process, joined to it by a pair of
 * sockets: it sends orders of one byte, the machine sends reports.  All
 * machines make each half of a tick together, so a match is a function of its
 * seed, however busy the computer is, and runs as fast as it can.  In this
 * order: a machine's process, the referee's seats, ticks, judgement. */

#define _POSIX_C_SOURCE 200112L

#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "port/render/png.h"
#include "port/render/render.h"

#define SEATS 3       /* player 0, player 1, a watcher */
#define HOLD 8u       /* ticks for which a bot keeps its keys */
#define PATIENCE 600u /* ticks of silence before a peer is dropped */
#define BOUND 280     /* s, after which an alarm ends the process */
#define TICK_MS (1000.0 / 60.0)

typedef enum order {
    ORDER_DELIVER,
    ORDER_TICK,
    ORDER_WATCHER, /* a watcher has joined: connect to it */
    ORDER_END
} order;

typedef struct report {
    uint32_t is_hash; /* 0: the report ends an order */
    uint32_t step, hash;
    uint32_t phase;
} report;

typedef struct outcome {
    vsp_lockstep_stats stats;
    vsp_drop drops[MACHINE_PEERS];
    uint32_t sent, lost, duplicated, reordered;
    uint32_t bytes_sent;
    uint32_t flipped; /* slot of the body with the flipped bit */
    uint32_t scores[GAME_PLAYERS];
    bool is_explained;
    char text[256];
} outcome;

typedef struct seat {
    uint32_t player;
    int socket;
    struct sockaddr_in address;
    pid_t process;
    int orders;
    FILE *reports;
    bool is_active; /* whether it takes part in ticks */
    vsp_phase phase;
    uint32_t first, next; /* range of states whose hashes it reported */
    uint32_t *hashes;
    outcome outcome;
} seat;


/* ---- A machine's process ------------------------------------------------- */

static machine it;

static void draw_game(const char *path)
{
    render_options options = render_options_default();
    bounds frame = render_bounds(it.game.world);
    unsigned char *rgb = malloc((size_t)options.width * (size_t)options.height *
                                3u);

    options.elevation = 35.0;
    if (!rgb || !render_world(it.game.world, &frame, &options, rgb) ||
        !png_write(path, options.width, options.height, rgb))
        fprintf(stderr, "lockstep: cannot draw '%s'\n", path);
    free(rgb);
}

static bool begin_machine(const match_def *def, const seat *seats, int own)
{
    machine_def setup;
    bool is_watcher = own == SEATS - 1;
    int other = own == 0 ? 1 : 0;

    setup.seed = def->seed;
    setup.player = seats[own].player;
    setup.peers = own == 0 ? 2 : 1;
    setup.is_late = is_watcher;
    setup.patience = PATIENCE;
    setup.flip = own == 1 ? def->flip : MACHINE_NEVER;
    setup.faults = def->faults;
    it.socket = seats[own].socket;
    return machine_begin(&it, &setup) &&
           machine_connect(&it, 0, &seats[other].address, seats[other].player,
                           is_watcher);
}

static void make_tick(const match_def *def, uint32_t player, int reports)
{
    static unsigned char keys;
    static uint32_t ticks;
    report all[MACHINE_KEPT + 1];
    uint32_t count = 0;
    uint32_t step = vsp_rollback_get_stats(it.rollback).step;
    vsp_kept state;

    if (player != VSP_WATCHER && ticks++ % HOLD == 0)
        keys = game_bot(&it.game, player, def->seed, step);
    machine_tick(&it, keys);
    if (def->picture && player == 0 && step < def->steps / 2 &&
        vsp_rollback_get_stats(it.rollback).step >= def->steps / 2)
        draw_game(def->picture);
    while (count < MACHINE_KEPT && machine_next_state(&it, &state)) {
        all[count].is_hash = 1;
        all[count].step = state.step;
        all[count++].hash = state.hash;
    }
    all[count].is_hash = 0;
    all[count++].phase = vsp_lockstep_get_stats(it.lockstep).phase;
    if (write(reports, all, count * sizeof all[0]) < 0)
        exit(1);
}

static void report_end(const match_def *def, uint32_t player, int reports)
{
    static outcome end;
    char path[1024];

    snprintf(path, sizeof path, "%s/desync-%u.vspr",
             def->directory ? def->directory : ".", (unsigned)player);
    end.stats = vsp_lockstep_get_stats(it.lockstep);
    for (uint32_t i = 0; i < it.def.peers; i++) {
        end.drops[i] = vsp_lockstep_peer(it.lockstep, i).drop;
        end.sent += it.links[i].sent;
        end.lost += it.links[i].lost + it.links[i].overflowed;
        end.duplicated += it.links[i].duplicated;
        end.reordered += it.links[i].reordered;
    }
    end.bytes_sent = it.bytes_sent;
    end.flipped = it.flipped;
    memcpy(end.scores, it.game.words + GAME_SCORE, sizeof end.scores);
    if (end.stats.phase == VSP_PHASE_DIVERGED)
        end.is_explained = machine_explain(&it, end.text, sizeof end.text,
                                           def->directory ? path : NULL);
    if (write(reports, &end, sizeof end) < 0)
        exit(1);
}

/* Carries out orders until ORDER_END, or until the referee is gone. */
static int serve_orders(const match_def *def, const seat *seats, int own,
                        int orders)
{
    const report done = {0, 0, 0, VSP_PHASE_PLAYING};
    unsigned char what;

    if (!begin_machine(def, seats, own)) {
        fprintf(stderr, "lockstep: machine %d does not begin\n", own);
        return 1;
    }
    while (read(orders, &what, 1) == 1) {
        if (what == ORDER_TICK)
            make_tick(def, seats[own].player, orders);
        else if (what == ORDER_DELIVER)
            machine_deliver(&it);
        else if (what == ORDER_WATCHER)
            machine_connect(&it, 1, &seats[SEATS - 1].address, VSP_WATCHER,
                            false);
        else
            report_end(def, seats[own].player, orders);
        if (what == ORDER_END)
            return 0;
        if (what != ORDER_TICK &&
            write(orders, &done, sizeof done) != sizeof done)
            return 1;
    }
    return 1;
}


/* ---- Seats --------------------------------------------------------------- */

static bool take_seat(const match_def *def, seat *seats, int own)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fflush(stdout);
    seats[own].process = fork();
    if (seats[own].process < 0)
        return false;
    if (seats[own].process == 0) {
        /* Close the other machines' sockets, which the fork copied: while one
         * is open, its machine does not notice that the referee is gone. */
        for (int i = 0; i < own; i++)
            close(seats[i].orders);
        close(ends[0]);
        _exit(serve_orders(def, seats, own, ends[1]));
    }
    close(ends[1]);
    seats[own].orders = ends[0];
    seats[own].reports = fdopen(ends[0], "r");
    seats[own].hashes = calloc(def->steps + 1u, sizeof(uint32_t));
    seats[own].first = MACHINE_NEVER;
    seats[own].is_active = own < SEATS - 1;
    return seats[own].reports && seats[own].hashes;
}

static bool take_seats(const match_def *def, seat *seats)
{
    int count = def->late ? SEATS : SEATS - 1;

    memset(seats, 0, SEATS * sizeof *seats);
    for (int i = 0; i < count; i++) {
        seats[i].player = i < 2 ? (uint32_t)i : VSP_WATCHER;
        seats[i].socket = udp_open(0, true, &seats[i].address);
        if (seats[i].socket < 0) {
            perror("lockstep: socket");
            return false;
        }
    }
    for (int i = 0; i < count; i++)
        if (!take_seat(def, seats, i)) {
            perror("lockstep: process");
            return false;
        }
    return true;
}

static void leave_seats(seat *seats)
{
    for (int i = 0; i < SEATS; i++) {
        if (seats[i].reports)
            fclose(seats[i].reports);
        if (seats[i].process > 0)
            waitpid(seats[i].process, NULL, 0);
        free(seats[i].hashes);
    }
}


/* ---- Ticks --------------------------------------------------------------- */

static bool give_order(seat *to, order what)
{
    unsigned char byte = (unsigned char)what;

    return write(to->orders, &byte, 1) == 1;
}

/* Reads a machine's reports until one ends the order. */
static bool hear_machine(const match_def *def, seat *from, bool is_tick)
{
    report it_says;

    while (fread(&it_says, sizeof it_says, 1, from->reports) == 1) {
        if (!it_says.is_hash) {
            if (is_tick)
                from->phase = (vsp_phase)it_says.phase;
            return true;
        }
        if (from->first == MACHINE_NEVER)
            from->first = it_says.step;
        if (it_says.step <= def->steps)
            from->hashes[it_says.step] = it_says.hash;
        from->next = it_says.step + 1;
    }
    fprintf(stderr, "lockstep: a machine died\n");
    return false;
}

static bool order_all(const match_def *def, seat *seats, order what)
{
    for (int i = 0; i < SEATS; i++)
        if (seats[i].is_active && !give_order(&seats[i], what))
            return false;
    for (int i = 0; i < SEATS; i++)
        if (seats[i].is_active &&
            !hear_machine(def, &seats[i], what == ORDER_TICK))
            return false;
    return true;
}

static bool is_over(const match_def *def, const seat *seats)
{
    for (int i = 0; i < SEATS; i++)
        if (seats[i].process > 0 && seats[i].next <= def->steps &&
            seats[i].phase != VSP_PHASE_DIVERGED &&
            seats[i].phase != VSP_PHASE_OVER)
            return false;
    return true;
}

static bool play_match(const match_def *def, seat *seats, uint32_t *ticks)
{
    const uint32_t limit = 2u * def->steps + 10000u;

    for (*ticks = 0; *ticks < limit && !is_over(def, seats); ++*ticks) {
        if (def->late && *ticks == def->late) {
            if (!give_order(&seats[0], ORDER_WATCHER) ||
                !hear_machine(def, &seats[0], false))
                return false;
            seats[SEATS - 1].is_active = true;
        }
        if (!order_all(def, seats, ORDER_DELIVER) ||
            !order_all(def, seats, ORDER_TICK))
            return false;
    }
    for (int i = 0; i < SEATS; i++)
        if (seats[i].process > 0 && (!give_order(&seats[i], ORDER_END) ||
                                     fread(&seats[i].outcome, sizeof(outcome),
                                           1, seats[i].reports) != 1))
            return false;
    return *ticks < limit;
}


/* ---- Judgement ----------------------------------------------------------- */

static void print_seat(const seat *who, uint32_t ticks)
{
    const outcome *o = &who->outcome;
    const vsp_rollback_stats *r = &o->stats.rollback;

    if (who->player == VSP_WATCHER)
        printf("watcher");
    else
        printf("player %u", (unsigned)who->player);
    printf(": states %u to %u, %u rollbacks, %u steps again, deepest %u "
           "(%.0f ms)\n",
           (unsigned)who->first, (unsigned)who->next - 1u,
           (unsigned)r->rollback_count, (unsigned)r->again_count,
           (unsigned)r->deepest, (double)r->deepest * TICK_MS);
    printf("    %u ticks stalled, longest stall %u (%.0f ms); %u hashes of "
           "others equal\n",
           (unsigned)o->stats.wait_count, (unsigned)o->stats.longest_wait,
           (double)o->stats.longest_wait * TICK_MS,
           (unsigned)o->stats.hash_count);
    printf("    %u messages, %u lost, %u twice, %u out of order; %.1f kB/s\n",
           (unsigned)o->sent, (unsigned)o->lost, (unsigned)o->duplicated,
           (unsigned)o->reordered,
           (double)o->bytes_sent / ((double)ticks / 60.0) / 1000.0);
    if (o->stats.phase != VSP_PHASE_PLAYING)
        printf("    phase %d, %s; peers: %s, %s\n", (int)o->stats.phase,
               vsp_status_name(o->stats.status), vsp_drop_name(o->drops[0]),
               vsp_drop_name(o->drops[1]));
    if (o->is_explained)
        printf("    parted at %s\n", o->text);
}

/* Compares the hashes of each state.  Returns how many states more than one
 * machine reported; *equal is how many of these have equal hashes. */
static uint32_t compare_states(const match_def *def, const seat *seats,
                               uint32_t *equal)
{
    uint32_t count = 0;

    *equal = 0;
    for (uint32_t step = 0; step <= def->steps; step++) {
        const seat *one = NULL;
        uint32_t others = 0, same = 0;

        for (int i = 0; i < SEATS; i++) {
            const seat *who = &seats[i];

            if (who->process <= 0 || step < who->first || step >= who->next)
                continue;
            if (one) {
                others++;
                same += who->hashes[step] == one->hashes[step];
            } else {
                one = who;
            }
        }
        count += others > 0;
        *equal += others > 0 && same == others;
    }
    return count;
}

/* Whether both players named the place of the flipped bit. */
static bool is_found(const match_def *def, const seat *seats)
{
    char expected[64];

    snprintf(expected, sizeof expected, "step %u, body %u, velocity[",
             (unsigned)def->flip, (unsigned)seats[1].outcome.flipped);
    if (seats[1].outcome.flipped == 0)
        printf("no crate moved: nothing was flipped\n");
    for (int i = 0; i < 2; i++)
        if (!seats[i].outcome.is_explained ||
            strncmp(seats[i].outcome.text, expected, strlen(expected)) != 0)
            return false;
    return true;
}

/* Whether the watcher, if there is one, joined in the first half and stayed to
 * the end. */
static bool has_watched(const match_def *def, const seat *watcher)
{
    return !def->late ||
           (watcher->first <= def->steps / 2 && watcher->next > def->steps);
}

bool match_run(const match_def *def)
{
    static seat seats[SEATS];
    uint32_t ticks = 0, count = 0, equal = 0;
    bool is_good;

    alarm(BOUND);
    is_good = take_seats(def, seats) && play_match(def, seats, &ticks);
    if (!is_good)
        fprintf(stderr, "lockstep: no end after %u ticks\n", (unsigned)ticks);
    for (int i = 0; i < SEATS; i++)
        if (seats[i].process > 0)
            print_seat(&seats[i], ticks);
    if (is_good) {
        count = compare_states(def, seats, &equal);
        printf("%u ticks, score %u to %u, %u states compared, %u equal\n",
               (unsigned)ticks, (unsigned)seats[0].outcome.scores[0],
               (unsigned)seats[0].outcome.scores[1], (unsigned)count,
               (unsigned)equal);
        is_good = def->flip != MACHINE_NEVER
                      ? is_found(def, seats)
                      : equal == def->steps + 1 && equal == count &&
                            has_watched(def, &seats[SEATS - 1]);
    }
    leave_seats(seats);
    return is_good;
}
