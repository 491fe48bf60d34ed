/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Declarations that the files of queries share: the state of a query, hits, and
 * the functions of each file for the others.  They read in this order:
 * query_walk.c, query_line.c, query_solid.c, query_surface.c, query_sdf.c,
 * query.c, query_contact.c. */

#ifndef VSP_QUERY_H
#define VSP_QUERY_H

#include "api.h"

#if VSP_QUERIES

/* m: farther than any point of a query */
#define VSP__FAR_LENGTH VSP__REAL(VSP_FIXED ? 1023.0 : 1.0e9)

/* A plane whose slope along a displacement is smaller counts as parallel. */
#define VSP__LEAST_SLOPE VSP__UNIT(1e-9)

/* m: a cast solid that is this near to a shape touches it */
#define VSP__TOUCH_DISTANCE VSP__REAL(0.0005)

/* Number of pieces of a line that is tested with a surface. */
#define VSP__LINE_PIECES 8u

typedef enum vsp__query_kind {
    VSP__ASK_RAY,     /* where does a ray meet it first? */
    VSP__ASK_CAST,    /* where does a moving solid touch it first? */
    VSP__ASK_OVERLAP, /* does a solid overlap it? */
    VSP__ASK_GAP,     /* how far is a solid from it? */
    VSP__ASK_BOUNDS,  /* does a box overlap its bounds? */
    VSP__ASK_INSIDE,  /* is a point in it, and how deep? */
    VSP__ASK_NEAREST  /* which of its points is nearest to a point? */
} vsp__query_kind;

/* A displacement in the frame of a shape.  Lengths count from its point nearest
 * to the shape's origin, since small numbers are more precise. */
typedef struct vsp__local_line {
    vsp__v3 at, way;      /* the nearest point; the unit direction */
    vsp__num first, last; /* ends of the displacement, m from `at` */
    vsp__num base;        /* m from the start of the displacement to `at` */
} vsp__local_line;

/* What a query of a character leaves out: two bodies; and one-way shapes unless
 * the character is above them. */
typedef struct vsp__query_walker {
    uint32_t bodies[2]; /* ids; 0: none */
    vsp__v3 foot;       /* centre of the ball at the capsule's lower end */
    vsp__num radius;    /* m: of that ball */
} vsp__query_walker;

/* A query and its progress.  The displacement is that of a ray or cast solid;
 * other queries have none. */
typedef struct vsp__query_state {
    vsp_world *world;
    const vsp_query *query;
    const vsp__query_walker *walker; /* null: no character asks */
    vsp__query_kind question;
    vsp__num length; /* of the displacement, m; 0: none */
    vsp__num limit;  /* m along it, or from the origin: farther hits do not
                        count */
    vsp__v3 origin;
    vsp__v3 direction; /* of the displacement, a unit vector; zero: none */
    vsp__v3 steps;     /* of each component of direction: in fixed point the
                          absolute value, in floats the inverse */
    vsp__v3 reach;     /* half extents of the solid, in world axes */
    vsp__aabb ends;    /* box of the solid at `origin`; or the query's box */
    vsp__aabb bounds;  /* bounds that a shape must overlap to be found */
    uint32_t axis;     /* of the largest component of the direction */
    uint32_t changes;  /* the world's change counter when the query began */

    /* The slot of the current shape. */
    uint32_t slot;
    const vsp__shape *shape;
    const vsp__pose *pose;
    vsp__local_line line;

    /* The solid of a cast or an overlap. */
    vsp__convex solid;
    vsp__pose place; /* its present pose */
    vsp__v3 start;   /* its position at the start */

    /* The walk. */
    uint32_t plane;                       /* number of half-spaces visited */
    uint32_t depth;                       /* of the stack */
    uint32_t stack[VSP__TREE_LEVELS + 2]; /* level and index of nodes */
    vsp__tree tree;
} vsp__query_state;

/* A hit in the engine's numbers: see vsp_hit. */
typedef struct vsp__query_hit {
    uint32_t slot, part;
    vsp__num at; /* m: along the displacement, or from the point */
    vsp__v3 point, normal;
} vsp__query_hit;

/* The pieces of a line near a shape, one at a time; m along the line. */
typedef struct vsp__line_piece {
    vsp__num from, to;
    vsp__num step;
    vsp__num end;  /* end of the last piece */
    uint32_t left; /* number of pieces left */
} vsp__line_piece;


/* ---- query_walk.c: over the shapes of a world ---------------------------- */

/* Fills the point at a distance t along a direction, flushed. */
void vsp__point_along(const vsp__v3 *from, const vsp__v3 *way, vsp__num t,
                      vsp__v3 *point);

/* Fills the point at a distance t, m, along the displacement, in the world, or
 * along the line of a shape, in its frame. */
static inline void vsp__way_point(const vsp__query_state *s, vsp__num t,
                                  vsp__v3 *point)
{
    vsp__point_along(&s->origin, &s->direction, t, point);
}

static inline void vsp__line_point(const vsp__local_line *l, vsp__num t,
                                   vsp__v3 *point)
{
    vsp__point_along(&l->at, &l->way, t, point);
}

/* Fills the bounds of a segment, grown by `reach` along each axis. */
void vsp__bound_segment(const vsp__v3 *a, const vsp__v3 *b,
                        const vsp__v3 *reach, vsp__aabb *bounds);

/* Rotates a direction from a pose's frame to the world, flushed. */
void vsp__direction_to_world(const vsp__pose *pose, vsp__v3 *direction);

/* Returns the height of a point over a plane through `from`, m along its
 * normal. */
vsp__num vsp__height_along(const vsp__v3 *normal, const vsp__v3 *from,
                           const vsp__v3 *at);

/* Sets the limit of a query, and with it the bounds of all that is left to
 * find. */
void vsp__set_query_limit(vsp__query_state *s, vsp__num limit);

/* Reads the displacement of a query, after its origin.  Returns false when it
 * is out of range. */
bool vsp__set_query_way(vsp__query_state *s, const vsp_vec3 *from);

/* Starts the walk, after all arguments have been read. */
void vsp__start_query_walk(vsp__query_state *s);

/* Whether the filters of vsp_query accept the current shape. */
bool vsp__is_query_wanted(const vsp__query_state *s);

/* Advances to the next shape that the query may find: half-spaces first, then
 * the leaves of the tree.  Returns false when there is none. */
bool vsp__next_query_shape(vsp__query_state *s);


/* ---- query_line.c: rays against solids ----------------------------------- */

/* Whether a hit is nearer than the best one so far (slot VSP_MAX_SHAPES: none);
 * of equal hits, the one in the lower slot counts as nearer. */
static inline bool vsp__is_better_hit(const vsp__query_hit *best,
                                      const vsp__query_hit *m)
{
    return best->slot == VSP_MAX_SHAPES || m->at < best->at ||
           (m->at == best->at && m->slot < best->slot);
}

/* Fills the hit of a displacement that begins in a solid.  Returns true. */
bool vsp__begins_inside(const vsp__query_state *s, vsp__query_hit *m);

/* Fills the hit at t of the shape's line.  m->normal must be in the frame of
 * the shape.  Returns whether the hit is within the limit. */
bool vsp__meet_line_at(const vsp__query_state *s, vsp__num t,
                       vsp__query_hit *m);

/* Computes the height of a point over the plane of a hull's face, and its
 * normal. */
vsp__num vsp__height_over_face(const vsp__convex *hull, uint32_t face,
                               const vsp__v3 *at, vsp__v3 *normal);

/* Finds where a ray hits a convex solid.  Returns whether it does. */
bool vsp__ray_solid(const vsp__query_state *s, vsp__query_hit *m);

/* Finds the half extents, in the axes of the shape, of the box that s->reach
 * describes in the axes of the world. */
void vsp__reach_in_frame(const vsp__query_state *s, vsp__v3 *seen);

/* Cuts the line to the shape's box, grown by `reach`, and prepares its pieces.
 * Returns false when nothing is left. */
bool vsp__clip_line_to_shape(const vsp__query_state *s, const vsp__v3 *reach,
                             vsp__line_piece *cut);


/* ---- query_solid.c: casts, overlaps, points ------------------------------ */

/* Moves the query's solid to a distance along the way. */
void vsp__place_query_solid(vsp__query_state *s, vsp__num at);

/* Moves the solid until it touches a convex one.  Returns false when that is
 * beyond the limit, or it does not come nearer. */
bool vsp__move_query_solid(vsp__query_state *s, const vsp__convex *target,
                           vsp__num limit, vsp__query_hit *m);

/* Finds where the displacement hits a half-space or, if there is none, whether
 * the solid overlaps it.  Returns whether it is hit. */
bool vsp__ask_plane(const vsp__query_state *s, vsp__query_hit *m);

/* Makes a core without radius and size. */
void vsp__make_core(vsp__convex *c, const vsp__pose *pose, vsp__core core);

/* Finds the point of a convex solid that is nearest to the query's point.
 * Returns whether it is within the limit. */
bool vsp__nearest_on_convex(const vsp__query_state *s,
                            const vsp__convex *target, vsp__num limit,
                            vsp__query_hit *m);

/* Measures the gap from the query's solid to a convex solid, m: 0 or less if
 * they overlap, with the normal of the surface nearest to the middle of the
 * query's solid.  Returns whether the gap is within the limit. */
bool vsp__gap_to_convex(vsp__query_state *s, const vsp__convex *target,
                        vsp__query_hit *m);

/* The signed distance field of the shape that is asked. */
static inline void vsp__get_query_sdf(const vsp__query_state *s,
                                      vsp__placed_sdf *sdf)
{
    sdf->table = (const vsp_sdf *)s->world->tables[s->shape->table - 1u];
    sdf->pose = s->pose;
}

/* Fills the point of a solid's surface that is nearest to the query's point.
 * Returns false when it is beyond the limit. */
bool vsp__nearest_on_solid(const vsp__query_state *s, vsp__query_hit *m);


/* ---- query_surface.c, query_sdf.c: what is not convex -------------------- */

/* Answers the question for a mesh, height field or shell. */
bool vsp__ask_surface(vsp__query_state *s, vsp__query_hit *m);

/* Finds where the displacement hits a signed distance field or, if there is
 * none, whether the solid overlaps it.  Returns whether it is hit. */
bool vsp__ask_sdf(vsp__query_state *s, vsp__query_hit *m);


/* ---- query.c: for explosions and characters ------------------------------ */

/* Answers the question for the current shape. */
bool vsp__ask_shape(vsp__query_state *s, vsp__query_hit *m);

/* Begins a query of the points nearest to a point; the caller sets the limit.
 * Returns false when an argument is bad. */
bool vsp__begin_nearest(vsp__query_state *s, vsp_world *world,
                        const vsp_query *query, const vsp_vec3 *point);

#if VSP_CHARACTER

/* Casts as vsp_shape_cast, for a character. */
vsp_status vsp__cast_solid(vsp_world *world, const vsp_shape_def *def,
                           vsp_transform pose, vsp_vec3 way,
                           const vsp_query *query,
                           const vsp__query_walker *walker, vsp_hit *hit);

/* Finds the shape nearest to the core of a capsule, within the capsule and a
 * margin around it, for a character.  Distance and normal of the hit are
 * those from the core.  If a solid contains part of the core, the distance is 0
 * or negative, and the normal is that of the surface nearest to the core's
 * middle.  Returns false if no shape is near. */
bool vsp__find_nearest(vsp_world *world, const vsp_shape_def *capsule,
                       vsp_transform pose, vsp__num margin,
                       const vsp_query *query, const vsp__query_walker *walker,
                       vsp_hit *hit);

#endif /* VSP_CHARACTER */

#endif /* VSP_QUERIES */

#endif /* VSP_QUERY_H */
