/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Projected Gauss-Seidel with subspace minimisation, in double precision, as
 * Silcowitz, Niebe, Erleben 2010 describe it, with each of their variants and
 * each of the engine's departures as an option.  Equation and section numbers
 * are those of that paper. */

#ifndef PGS_SM_H
#define PGS_SM_H

#include <stdbool.h>

#define SM_MAX_BODIES 256
#define SM_MAX_ROWS 6144

/* A row of y = A lambda + b, eq. 3.  lambda is in N s, or N m s for a rotation;
 * y in m/s or rad/s. */
typedef struct sm_row {
    int body[2];           /* -1: none that moves */
    double jacobian[2][6]; /* linear, then angular, of each body */
    double moved[2][6];    /* M^-1 J^T */
    double bias;           /* of y */
    double diagonal;       /* of A */
    int normal;            /* friction: the row of its normal; else -1 */
    double friction;       /* coefficient */
    bool is_equality;      /* without bounds; other rows without a normal are
                            * bounded by 0 below */
} sm_row;

/* A body's part of the mass matrix, M^-1 = root root^T. */
typedef struct sm_body {
    double velocity[6];        /* without multipliers */
    double inverse_mass;       /* 1/kg */
    double inverse[3][3];      /* inverse inertia, world axes */
    double root_inverse[3][3]; /* lower triangle, of `inverse` */
} sm_body;

typedef struct sm_problem {
    sm_body bodies[SM_MAX_BODIES];
    int body_count;
    sm_row rows[SM_MAX_ROWS];
    int row_count;
} sm_problem;

/* Which rows are active. */
typedef enum sm_sets {
    SM_BY_MULTIPLIER, /* eq. 19 */
    SM_BY_VELOCITY,   /* eq. 18, where |y| below SM_STILL is 0 */
    SM_BY_STEP        /* ours: a projected step of the row alone leaves it
                       * within its bounds; other rows keep their
                       * multipliers */
} sm_sets;

#define SM_STILL 1e-6 /* m/s */

typedef enum sm_damping {
    SM_UNDAMPED,
    SM_DAMP_FRICTION,
    SM_DAMP_ALL
} sm_damping;

typedef enum sm_stop {
    SM_STOP_NEVER, /* but at the limit of work */
    SM_STOP_MERIT, /* eq. 25 with 1e-15 */
    SM_STOP_SET,   /* eq. 26 */
    SM_STOP_STALL  /* eq. 27 with 1e-3, its left side read as a size */
} sm_stop;

/* The paper's setting is sm_literal(). */
typedef struct sm_setting {
    int sweeps;   /* k_pgs */
    int searches; /* k_sm; 0: plain PGS */
    sm_sets sets;
    sm_stop stop;
    double most_work; /* passes over the rows */

    /* section 5.1 */
    double pgs_stall; /* sweeps go on until one changes the merit by less than
                       * this fraction of it; 0: k_pgs sweeps */
    sm_damping damping;
    double gamma;      /* as a fraction of the mean diagonal of A */
    bool is_lazy;      /* bounds are those of the last sweep */
    bool is_staggered; /* normals and joints, then friction, by turns */
    bool is_svd;       /* pseudo inverse instead of conjugate gradients */

    /* departures of the engine */
    bool keeps_best;     /* its result is the best iterate */
    bool precondition;   /* by the diagonal */
    bool has_momentum;   /* Nesterov's, in sweeps */
    bool is_short;       /* conjugate gradients stop at a hundredth of r . z, or
                          * after 60 steps */
    bool has_springs;    /* they hold multipliers where a search began */
    bool stops_at_pulls; /* conjugate gradients stop when two normals or limits
                          * pull */
} sm_setting;

typedef struct sm_point {
    double work; /* passes over the rows: a sweep is one, a step of conjugate
                  * gradients the active part of one, the rest of a search
                  * two */
    double psi, theta; /* (m/s)^2 */
} sm_point;

#define SM_MAX_POINTS 4096

/* The course of a solve. */
typedef struct sm_course {
    sm_point points[SM_MAX_POINTS];
    int count;
    int searches;    /* steps of the subspace loop */
    double growth;   /* largest psi after such a step over psi before it */
    double active;   /* active rows of the last step */
    bool is_stopped; /* by the criterion, before the limit of work */
    sm_point best;   /* the point of least psi */
} sm_course;

/* Returns the paper's setting: eq. 19, k_pgs 25, k_sm 5, conjugate gradients to
 * 1e-15 without preconditioner. */
sm_setting sm_literal(void);

/* Returns plain PGS. */
sm_setting sm_plain(void);

/* Returns the paper's with all departures of the engine, and its k_sm of 2. */
sm_setting sm_ours(bool has_momentum);

/* Solves from zero multipliers.  Writes lambda, one number a row, and the
 * velocities, six a body. */
void sm_solve(const sm_problem *problem, const sm_setting *setting,
              sm_course *course, double *lambda, double *velocity);

/* Computes the velocities that follow from multipliers. */
void sm_velocities(const sm_problem *problem, const double *lambda,
                   double *velocity);

/* Merits of multipliers: Fischer's function of Silcowitz et al. 2009, and theta
 * of eq. 37-38 of Erleben 2007.  Rows are divided by their diagonal, so both
 * are in (m/s)^2. */
void sm_merit(const sm_problem *problem, const double *lambda,
              const double *velocity, sm_point *to);

/* Writes the active rows of multipliers, eq. 19.  Returns their number. */
int sm_active_rows(const sm_problem *problem, const double *lambda, int *rows);

/* Singular values of A_AA, eq. 22. */
typedef struct sm_spectrum {
    double values[SM_MAX_BODIES * 6]; /* the largest first */
    int count;                        /* rows, or degrees of freedom if less */
    int rank; /* values above SM_LEAST_VALUE of the largest */
} sm_spectrum;

#define SM_LEAST_VALUE 1e-10

/* Computes the spectrum of these rows; if x is not null, also x = A_AA^+ r, the
 * pseudo inverse times r.  Returns false if memory runs out. */
bool sm_pseudo_inverse(const sm_problem *problem, const int *active, int count,
                       const double *r, double *x, sm_spectrum *out);

#endif
