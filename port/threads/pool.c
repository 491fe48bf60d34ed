/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A pool of threads.  The batch at hand has one atomic word, its ticket: the
 * number of tasks, and the index of the next one.  Whoever adds 1 to it has
 * taken that task, and may read what the batch is, because the batch cannot end
 * before the task has. */

#define _POSIX_C_SOURCE 200809L

#include "pool.h"

#if VSP_WORKERS

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#define LINE 64 /* bytes of a cache line: threads wait for others' writes */

/* How long a thread without a task waits: first it spins, 20 to 100 us; then it
 * lets others run; then it sleeps. */
#define SPINS 2000u
#define YIELDS 20u

struct pool {
    char before[LINE];
    uint32_t ticket; /* tasks of the batch * 65536 + index of the next one */
    vsp_task *task;
    void *work;
    char between[LINE];
    uint32_t done; /* tasks of the batch that have returned */
    char behind[LINE];
    uint32_t sleepers;
    uint32_t is_over;
    uint32_t spins; /* 0 if there are more threads than cores */
    uint32_t thread_count;
    pthread_mutex_t mutex; /* for the two below */
    pthread_cond_t awake;
    pthread_t threads[POOL_MOST];
};

#if defined(__x86_64__) || defined(__i386__)
static void spin_once(void)
{
    __builtin_ia32_pause();
}
#else
static void spin_once(void)
{
    __asm__ volatile("" ::: "memory");
}
#endif


/* ---- Tasks -------------------------------------------------------------- */

static bool has_task(uint32_t ticket)
{
    return (ticket & 0xffffu) < ticket >> 16;
}

/* Looks for a task without writing, as most looks find none.  Sequentially
 * consistent, as is the count of sleepers: either a thread that falls asleep
 * sees the batch, or the batch's owner sees the sleeper. */
static bool sees_task(const pool *it)
{
    return has_task(__atomic_load_n(&it->ticket, __ATOMIC_SEQ_CST));
}

/* Does tasks until none is left. */
static void do_tasks(pool *it)
{
    while (sees_task(it)) {
        uint32_t mine = __atomic_fetch_add(&it->ticket, 1, __ATOMIC_ACQ_REL);

        if (!has_task(mine))
            return;
        it->task(it->work, mine & 0xffffu);
        __atomic_fetch_add(&it->done, 1, __ATOMIC_RELEASE);
    }
}


/* ---- Threads ------------------------------------------------------------ */

static bool is_over(const pool *it)
{
    return __atomic_load_n(&it->is_over, __ATOMIC_ACQUIRE) != 0;
}

/* Waits for a task.  Returns false if none came soon. */
static bool spin_for_task(const pool *it)
{
    for (uint32_t i = 0; i < it->spins + YIELDS; i++) {
        if (sees_task(it) || is_over(it))
            return true;
        if (i < it->spins)
            spin_once();
        else
            sched_yield();
    }
    return false;
}

static void sleep_for_task(pool *it)
{
    pthread_mutex_lock(&it->mutex);
    __atomic_fetch_add(&it->sleepers, 1, __ATOMIC_SEQ_CST);
    while (!sees_task(it) && !is_over(it))
        pthread_cond_wait(&it->awake, &it->mutex);
    __atomic_fetch_sub(&it->sleepers, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&it->mutex);
}

static void wake_all(pool *it)
{
    pthread_mutex_lock(&it->mutex);
    pthread_cond_broadcast(&it->awake);
    pthread_mutex_unlock(&it->mutex);
}

static void *work_until_over(void *context)
{
    pool *it = (pool *)context;

    while (!is_over(it)) {
        do_tasks(it);
        if (!spin_for_task(it))
            sleep_for_task(it);
    }
    return NULL;
}


/* ---- Batches ------------------------------------------------------------ */

/* Waits for the tasks that other threads still do. */
static void wait_for_others(const pool *it, uint32_t count)
{
    uint32_t spins = 0;

    while (__atomic_load_n(&it->done, __ATOMIC_ACQUIRE) < count)
        if (spins++ < it->spins)
            spin_once();
        else
            sched_yield();
}

/* vsp_workers.run */
static void run_batch(void *context, vsp_task *task, void *work, uint32_t count)
{
    pool *it = (pool *)context;

    it->task = task;
    it->work = work;
    __atomic_store_n(&it->done, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&it->ticket, count << 16, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&it->sleepers, __ATOMIC_SEQ_CST) > 0)
        wake_all(it);
    do_tasks(it);
    wait_for_others(it, count);
}

static bool start_threads(pool *it, uint32_t count)
{
    while (it->thread_count < count) {
        if (pthread_create(&it->threads[it->thread_count], NULL,
                           work_until_over, it) != 0)
            return false;
        it->thread_count++;
    }
    return true;
}

pool *pool_open(uint32_t workers)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pool *it = (pool *)calloc(1, sizeof *it);

    if (it == NULL || workers < 1 || workers > POOL_MOST) {
        free(it);
        return NULL;
    }
    it->spins = cores < (long)workers ? 0 : SPINS;
    pthread_mutex_init(&it->mutex, NULL);
    pthread_cond_init(&it->awake, NULL);
    if (start_threads(it, workers - 1))
        return it;
    pool_close(it);
    return NULL;
}

void pool_close(pool *it)
{
    if (it == NULL)
        return;
    __atomic_store_n(&it->is_over, 1, __ATOMIC_SEQ_CST);
    wake_all(it);
    for (uint32_t i = 0; i < it->thread_count; i++)
        pthread_join(it->threads[i], NULL);
    pthread_cond_destroy(&it->awake);
    pthread_mutex_destroy(&it->mutex);
    free(it);
}

vsp_workers pool_workers(pool *it)
{
    vsp_workers workers;

    workers.run = run_batch;
    workers.context = it;
    workers.count = it->thread_count + 1;
    return workers;
}

#endif
