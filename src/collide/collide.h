/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Module collide: shapes and poses in, contacts out.  It uses no velocity,
 * but for the question whether a one-way surface is passed. */

#ifndef VSP_COLLIDE_H
#define VSP_COLLIDE_H

#include "../state/state.h"

/* A contact point of two shapes, a and b.  Its two ends are stored relative to
 * the centres of their shapes, in world axes, so that precision does not depend
 * on the distance from the world's origin. */
typedef struct vsp__touch_point {
    vsp__v3 on[2];    /* on the surface of a and of b, m */
    vsp__num gap;     /* along the normal, m; negative: penetration */
    uint32_t feature; /* 0 to 255, different for all points of a touch */
} vsp__touch_point;

/* Contact points of two shapes that are closer than the envelope.  Functions
 * vsp__touch_... that return a bool fill a touch, and return whether the shapes
 * are that close. */
typedef struct vsp__touch {
    vsp__v3 normal; /* a to b */
    uint32_t count; /* 1 to 4 */
    vsp__touch_point points[4];
#if VSP_MATERIALS
    uint32_t material; /* as in vsp__manifold */
#endif
#if VSP__HAS_SEARCHES
    uint32_t left; /* before: budget of work on this pair, as in
                      vsp__reducer.left; after: what is left of it */
#endif
} vsp__touch;

#if VSP_MATERIALS
#define VSP__SET_MATERIAL(of, number) ((of)->material = (number))
#define VSP__MATERIAL(of) ((of)->material)
#else
#define VSP__SET_MATERIAL(of, number) ((void)0)
#define VSP__MATERIAL(of) 0u
#endif

#define VSP__ALL_WORK 0xffffffffu
#define VSP__HAS_WORK (VSP__HAS_PARTS || VSP__HAS_SEARCHES)

#if VSP__HAS_SEARCHES
#define VSP__SET_WORK(t, work) ((t)->left = (work))
#define VSP__WORK_LEFT(t) ((t)->left)
#else
#define VSP__SET_WORK(t, work) ((void)0)
#define VSP__WORK_LEFT(t) ((void)(t), 0u)
#endif

/* A pair of edges is preferred to the best face only if its separation is
 * larger by VSP__EDGE_HANDICAP, m, plus VSP__EDGE_HANDICAP_PART of the face's
 * depth or gap; a face of b is preferred to one of a if its separation is
 * larger by VSP__FACE_HANDICAP, m.  A face gives more points, which last for
 * more steps, and small motions do not change the choice. */
#define VSP__EDGE_HANDICAP VSP__REAL(0.002)
#define VSP__EDGE_HANDICAP_PART VSP__UNIT(0.05)
#define VSP__FACE_HANDICAP VSP__REAL(0.0005)

/* types of cores, in the frame of their solid */
typedef enum vsp__core {
    VSP__CORE_POINT,
    VSP__CORE_SEGMENT, /* along y, from -half.y to half.y */
    VSP__CORE_BRICK,
    VSP__CORE_POLYHEDRON,
    VSP__CORE_TRIANGLE,
    VSP__CORE_TURNED, /* between two discs across y, of radius half.x at -half.y
                         and half.z at half.y */
    VSP__CORE_TAPER   /* hull of two balls, of radius half.x around y = -half.y
                         and half.z around y = half.y; the lesser radius is 0 */
} vsp__core;

/* A convex solid consists of all points within a radius of its core.  A sphere
 * is a point with a radius, a capsule a segment with a radius, a box a brick
 * without one.  The radius of a tapered capsule is that of its smaller ball. */
typedef struct vsp__convex {
    const vsp__pose *pose; /* pose of its frame in the world */
    vsp__core core;
    vsp__num radius; /* m; 0 for cores with faces or discs */
    /* half extents of a brick, m; of a segment y alone; of a polyhedron x, a
     * unit: the fraction by which corners shrink towards the centre; of a
     * turned or tapered one see vsp__core */
    vsp__v3 half;
    const vsp_hull *hull; /* of a polyhedron */
#if VSP_SCALES
    vsp__hull_scaling scale; /* of a polyhedron */
#endif
    /* of a triangle: 3, counterclockwise seen from its front */
    const vsp__v3 *corners;
} vsp__convex;

/* The nearest points of two solids a and b, each relative to its solid's
 * origin, in world axes. */
typedef struct vsp__witness {
    vsp__v3 on[2];
    vsp__v3 normal; /* from a to b, a unit vector */
} vsp__witness;

/* A mesh or a height field; the other pointer is null. */
typedef struct vsp__surface {
    const vsp__pose *pose;
    const vsp_mesh *mesh;
    const vsp_height_field *field;
#if VSP_SCALES
    vsp_place scale; /* vsp__find_scale */
#endif
#if VSP_MATERIALS
    const vsp_table_materials *materials; /* null: none */
#endif
#if VSP_FIELD_EDITS
    vsp__field_tiles tiles; /* of a height field */
#endif
} vsp__surface;

/* A walk over the triangles of a surface within bounds: leaf by leaf of a mesh,
 * or cell by cell of a height field.  It ends early when `left` is 0: each node
 * and each triangle that it visits takes 1 from it. */
typedef struct vsp__triangle_walk {
    const vsp__surface *surface;
    vsp_place low, high; /* the bounds, before the surface is scaled */
#if VSP_SCALES
    vsp_place near_low, near_high; /* for the scaled surface */
#endif
    uint32_t next, last; /* triangles left in this leaf or cell */
    uint32_t left;       /* no limit unless set after the start */
    uint32_t stride;     /* visits every stride-th triangle, column and row */

    uint32_t node; /* mesh: the next node to test */

    uint32_t column, row; /* height field: the next cell */
    uint32_t first_column, end_column, end_row;
} vsp__triangle_walk;

/* a triangle of a surface, in the surface's frame */
typedef struct vsp__surface_triangle {
    vsp__v3 corners[3];
    vsp__v3 sides[3]; /* unit vectors in its plane, out of the edge from corner
                         k to the next */
    vsp__v3 normal;
    uint32_t index;
    uint32_t flat; /* bits of its flat edges, as in vsp_triangle.marks */
} vsp__surface_triangle;

/* Contact reduction for a pair with many parts (triangles, spheres of a tree):
 * points are added part by part, in groups of like normals.  A group stores ten
 * of its points; at the end up to four of these remain. */
#define VSP__REDUCER_GROUPS 4
#define VSP__REDUCER_POINTS 10

typedef struct vsp__reducer_group {
    vsp__v3 normal;     /* normal of its deepest point */
    vsp__v3 across[2];  /* tangents to the normal of its first point */
    vsp__num least_gap; /* gap of its deepest point, m */
    uint32_t count;     /* points */
    vsp__touch_point points[VSP__REDUCER_POINTS];
#if VSP_MATERIALS
    uint32_t material; /* of its deepest point */
#endif
} vsp__reducer_group;

typedef struct vsp__reducer {
    uint32_t count; /* groups */
    uint32_t left;  /* budget of work on this pair */
    bool is_tight;  /* the budget of the pass was used up before: estimate costs
                       before a part begins */
    bool is_spread; /* so only some of the triangles are tested */
    /* From the origin of b to the origin of its part, in world axes.  Added to
     * points on b, which are given relative to the part. */
    vsp__v3 part_offset;
#if VSP_MATERIALS
    uint32_t material; /* of the part whose points are added */
#endif
    vsp__reducer_group groups[VSP__REDUCER_GROUPS];

    /* for vsp__touch_surface alone; here because it is large for a stack */
    const vsp__surface *surface;
    const vsp__convex *solid;
    vsp__num envelope;
    vsp__num slack;   /* m: a point up to this far beyond a side is over the
                         triangle */
    bool skips_deep;  /* leaves deep points to nearer triangles */
    bool has_skipped; /* a deep point was left out */
    vsp__mat3 axes;   /* of the solid, in the surface's frame */
    vsp__v3 position; /* of the solid's origin, there */
    vsp__v3 center;   /* in the surface's frame: a hull's centre of mass, else
                         the origin */
    /* walk 0: the triangle being tested; walk 1: other triangles at one of its
     * contact points */
    vsp__triangle_walk walks[2];
    vsp__surface_triangle tri[2];
    uint32_t corner_count; /* of the solid's face towards the triangle */
    const uint8_t *corners;
    uint8_t brick_corners[4];
    vsp__convex triangle; /* tri[0] as a solid */
    vsp__touch part;      /* touch of one part of the pair */
} vsp__reducer;

/* The scratch of detection, in world.work. */
typedef struct vsp__find {
    vsp__touch touch; /* of the present pair: too large for a small stack */
    /* Second halves: sort buffers.  Later that of sort_order has the
     * half-spaces; that of pairs has pairs and plans of workers, or ranks of
     * pairs if a capacity is exhausted. */
    uint16_t sort_order[2 * VSP_MAX_SHAPES]; /* slots */
    uint32_t sort_keys[2 * VSP_MAX_SHAPES];
    vsp__pose poses[VSP_MAX_SHAPES];  /* by slot */
    vsp__aabb bounds[VSP_MAX_SHAPES]; /* by slot; half an envelope larger */
    vsp__aabb tree[VSP_MAX_SHAPES + VSP__TREE_SPARE]; /* above the leaves */
    uint32_t pairs[2 * VSP_MAX_PAIRS];                /* keys */
} vsp__find;

static inline vsp__find *vsp__find_of(const vsp_world *world)
{
    return (vsp__find *)(void *)world->work;
}

VSP_STATIC_ASSERT(find_fits, sizeof(vsp__find) <= VSP__WORK_BYTES);

VSP_STATIC_ASSERT(reducer_fits, !VSP__HAS_PARTS ||
                                    sizeof(vsp__reducer) <= VSP__REDUCER_BYTES);

/* Returns the reducer, which is valid while one pair of shapes is processed. */
static inline vsp__reducer *vsp__reducer_of(vsp_world *world)
{
    return (vsp__reducer *)(void *)world->one.bytes;
}

/* A signed-distance solid; without a table a half-space. */
typedef struct vsp__placed_sdf {
    const vsp_sdf *table;
    const vsp__pose *pose; /* pose of its frame in the world */
} vsp__placed_sdf;


/* ---- mass.c: mass of a shape -------------------------------------------- */

/* Fills the mass of a shape, kg, its centre of mass, and the inertia of one
 * kilogram about that, m^2, in the body's frame.  All are 0 for a shape without
 * volume or density. */
void vsp__find_shape_mass(const vsp_world *world, const vsp__shape *shape,
                          vsp__mass_data *m);


/* ---- bounds.c: poses and bounds of shapes ------------------------------- */

/* Scales a box in table coordinates by the scale of a shape, if it has one. */
#if VSP_SCALES
void vsp__scale_box_of(const vsp__shape *shape, vsp_place *low,
                       vsp_place *high);
#else
static inline void vsp__scale_box_of(const vsp__shape *shape, vsp_place *low,
                                     vsp_place *high)
{
    (void)shape;
    (void)low;
    (void)high;
}
#endif

/* Whether two bounds overlap.  On large CPUs a mispredicted branch costs more
 * than all six tests, so none of them is a branch there. */
bool vsp__bounds_overlap_called(const vsp__aabb *a, const vsp__aabb *b);

#if defined __OPTIMIZE_SIZE__
#define vsp__bounds_overlap vsp__bounds_overlap_called
#else
static inline bool vsp__bounds_overlap(const vsp__aabb *a, const vsp__aabb *b)
{
    if (sizeof(void *) > 4)
        return (a->low.x <= b->high.x) & (b->low.x <= a->high.x) &
               (a->low.y <= b->high.y) & (b->low.y <= a->high.y) &
               (a->low.z <= b->high.z) & (b->low.z <= a->high.z);
    return a->low.x <= b->high.x && b->low.x <= a->high.x &&
           a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}
#endif

/* Sets bounds to a point, extends them to enclose others, or moves all their
 * sides outward by a margin, m. */
void vsp__bounds_of_point(const vsp__v3 *point, vsp__aabb *bounds);
void vsp__bounds_join(vsp__aabb *to, const vsp__aabb *from);
void vsp__bounds_grow(vsp__aabb *bounds, vsp__num margin);

/* Fills the middle of a box around a shape and half its size, m, in the shape's
 * frame.  The size is 0 for a half-space. */
void vsp__shape_box(const vsp_world *world, const vsp__shape *shape,
                    vsp__v3 *middle, vsp__v3 *half);

/* Whether a shape is a mesh or a height field. */
bool vsp__is_surface(const vsp__shape *shape);

/* Whether a shape is a distance field. */
bool vsp__is_sdf(const vsp__shape *shape);

/* Whether a shape is a shell: a constant false in a build without shells. */
static inline bool vsp__is_shell(const vsp__shape *shape)
{
    return VSP_SHELLS && shape->type == VSP_SHAPE_SHELL;
}

/* Rank of a shape: the one of higher rank is shape a of a pair.  Shells have 3,
 * surfaces 2, distance fields 1, others 0; but a half-space is always a. */
uint32_t vsp__pair_rank(const vsp__shape *shape);

/* Whether a shape of a pair is a shell, a surface or a distance field: the pair
 * can have several touches. */
bool vsp__has_parts(const vsp_world *world, uint32_t pair);

/* Whether a slot holds a shape with bounds: any except a half-space. */
bool vsp__is_bounded(const vsp__shape *shape);

/* Adds to *sum, m, half the size of the bounds of a box with these axes, whose
 * half size is `size`. */
void vsp__add_extent(const vsp__mat3 *axes, const vsp__v3 *size, vsp__v3 *sum);

/* Fills the vector from the body's centre of mass to the centre of a shape (the
 * origin of its frame), m, in body axes. */
void vsp__shape_arm(const vsp_world *world, uint32_t slot, vsp__v3 *arm);

/* Computes the arm of a contact point in body axes: `on` is relative to the
 * centre of the shape, in world axes; center comes from vsp__shape_arm. */
void vsp__body_arm(const vsp__mat3 *axes, const vsp__v3 *center,
                   const vsp__v3 *on, vsp__v3 *arm);

/* Changes the pose of a body to that of its shape.  Components of axes below
 * 2^-50 are flushed, so that a product of two is a normal float.  The body's
 * axes must be flushed; a shape that is not turned in its body gets them
 * unchanged. */
void vsp__shape_pose(const vsp_world *world, uint32_t slot, vsp__pose *pose);

/* Fills the pose of a shape of a body with this position and rotation. */
void vsp__place_shape(const vsp_world *world, uint32_t slot,
                      const vsp__v3 *position, const vsp__unit_quat *rotation,
                      vsp__pose *pose);

/* Fills the bounds of a shape with this pose, half an envelope larger; those of
 * a half-space are its origin. */
void vsp__find_bounds(const vsp_world *world, uint32_t slot,
                      const vsp__pose *pose, vsp__aabb *bounds);

/* Fills the present pose and bounds of a shape. */
void vsp__update_shape(const vsp_world *world, uint32_t slot, vsp__pose *pose,
                       vsp__aabb *bounds);

/* Fills the present poses and bounds of all shapes, in find.poses and
 * find.bounds. */
void vsp__update_shape_bounds(vsp_world *world);


/* ---- sort.c: sorting shapes and pairs ----------------------------------- */

/* Sorts sort_order by sort_keys, numbers of 30 bits.  The sort is stable. */
void vsp__sort_shapes(vsp_world *world, uint32_t count);

/* Sorts find.pairs in ascending order; overwrites sort_keys. */
void vsp__sort_pairs(vsp_world *world, uint32_t count);


/* ---- one_way.c: one-way surfaces ----------------------------------------- */

#if VSP_PAIR_RULES

/* Whether a touch of a pair does not count in a list, as one shape passes
 * through the other, a one-way one. */
bool vsp__is_passed(const vsp_world *world, uint32_t list, uint32_t pair,
                    const vsp__touch *t);

/* Whether a bullet, slot[0], that moves along `way` relative to the shape
 * slot[1] passes through: one of the two is one-way, and the bullet does not
 * come from the open side, or the normal is over 60 degrees from that of the
 * open side.  The normal is from slot[0] to slot[1]; null: it is not known. */
bool vsp__flies_through(const vsp_world *world, const uint32_t slot[2],
                        const vsp__v3 *way, const vsp__v3 *normal);

#else

static inline bool vsp__is_passed(const vsp_world *world, uint32_t list,
                                  uint32_t pair, const vsp__touch *t)
{
    (void)world;
    (void)list;
    (void)pair;
    (void)t;
    return false;
}

static inline bool vsp__flies_through(const vsp_world *world,
                                      const uint32_t slot[2],
                                      const vsp__v3 *way, const vsp__v3 *normal)
{
    (void)world;
    (void)slot;
    (void)way;
    (void)normal;
    return false;
}

#endif /* VSP_PAIR_RULES */


/* ---- pairs.c: pairs that may touch -------------------------------------- */

/* The pairs found so far; how many fit, and did not; the remaining budget of
 * tests. */
typedef struct vsp__pair_list {
    vsp_world *world;
    uint32_t *pairs; /* keys: in find.pairs */
    uint32_t most, count, dropped, left;
} vsp__pair_list;

/* Whether filters match: see vsp_filter. */
bool vsp__do_filters_match(const vsp_filter *f, const vsp_filter *g);

/* How many of two shapes are sensors. */
uint32_t vsp__count_sensors(const vsp__shape *a, const vsp__shape *b);

/* Whether two shapes would be in contact if they were close enough: they are of
 * different bodies, both enabled, are not sensors, and are allowed to touch by
 * filters, rules of pairs and joints.  Sleep does not matter. */
bool vsp__may_collide(const vsp_world *world, uint32_t a, uint32_t b);

/* Adds a pair whose bounds overlap, unless filters, sleep or other rules
 * exclude it. */
void vsp__add_pair(vsp__pair_list *list, uint32_t a, uint32_t b);

/* Whether bounds reach below a height, m, over a half-space. */
bool vsp__bounds_reach(const vsp__aabb *bounds, const vsp__pose *plane,
                       vsp__num margin);

/* Adds the pairs with half-spaces.  These have no bounds, so each is tested
 * with all bounded shapes, the first ones of sort_order. */
void vsp__pair_half_spaces(vsp__pair_list *list, uint32_t bounded_count);


/* ---- tree.c: the broad phase -------------------------------------------- */

#define VSP__TREE_LEVELS 18 /* enough for 2^17 leaves */

/* The layout of the tree.  Level 0 are the leaves: shapes in the order of
 * find.sort_order. */
typedef struct vsp__tree {
    const vsp_world *world;
    uint32_t top;                     /* the level of the root */
    uint32_t count[VSP__TREE_LEVELS]; /* nodes of a level */
    uint32_t first[VSP__TREE_LEVELS]; /* index in find.tree, from level 1 on */
} vsp__tree;

/* The bounds of node i of a level. */
static inline const vsp__aabb *vsp__tree_node(const vsp__tree *tree,
                                              uint32_t level, uint32_t i)
{
    const vsp_world *world = tree->world;

    if (level == 0)
        return &vsp__find_of(world)->bounds[vsp__find_of(world)->sort_order[i]];
    return &vsp__find_of(world)->tree[tree->first[level] + i];
}

/* Fills find.pairs, sorted, from the poses and bounds of
 * vsp__update_shape_bounds.  Returns the number of pairs; adds the number that
 * did not fit to *dropped. */
uint32_t vsp__find_pairs(vsp_world *world, uint32_t *dropped);

/* Builds the tree alone, for queries: leaf_count and plane_count of the world
 * are the numbers of shapes in it, and of half-spaces listed in the second half
 * of sort_order. */
void vsp__build_shape_tree(vsp_world *world);

/* Computes the layout of a tree with this number of leaves; reads no bounds. */
void vsp__lay_out_tree(const vsp_world *world, uint32_t leaf_count,
                       vsp__tree *tree);


/* ---- sphere.c: spheres -------------------------------------------------- */

/* A shape and its pose. */
typedef struct vsp__placed_shape {
    const vsp__shape *shape;
    const vsp__pose *pose;
} vsp__placed_shape;

/* The component of a vector a, m, along a unit vector b; flushed. */
static inline vsp__num vsp__flushed_dot(const vsp__v3 *a, const vsp__v3 *b)
{
    return r_flush(u3_dot_at(a, b));
}

/* Fills the vector from the centre of a to the centre of b, m. */
VSP__CALLED void vsp__solid_offset(const vsp__placed_shape *a,
                                   const vsp__placed_shape *b, vsp__v3 *d);

/* Swaps a and b in a touch of one point. */
void vsp__swap_touch(vsp__touch *t);

/* Computes the touch of a sphere, box or half-space with a sphere. */
bool vsp__touch_sphere(const vsp__placed_shape *a,
                       const vsp__placed_shape *sphere, vsp__num envelope,
                       vsp__touch *t);


/* ---- polygon.c: clipped faces ------------------------------------------- */

/* A vertex of a polygon: of a face that is being clipped to a reference face.
 * Edges of the clipped face have numbers below VSP__SIDES; a piece of side k of
 * the reference face is edge VSP__SIDES + k.  The part is the number of a
 * vertex of the clipped face or, where an edge crosses side k, VSP__SIDES *
 * (1 + edge) + k. */
typedef struct vsp__clip_point {
    vsp__num at[3]; /* x and y on the reference face, height above it, m */
    uint16_t edge;  /* the edge to the next point */
    uint16_t part;  /* number of the vertex, or of edge and side: see above */
} vsp__clip_point;

#define VSP__SIDES 64u
#define VSP__CLIP_POINTS 14u /* capacity of a polygon */

typedef struct vsp__polygon {
    bool is_open; /* there is no edge from the last point to the first */
    uint32_t count;
    vsp__clip_point points[VSP__CLIP_POINTS];
} vsp__polygon;

/* Cuts off what is outside of a side; outside[i] is how far outside point i is,
 * m. */
void vsp__clip_polygon(vsp__polygon *polygon, uint32_t side,
                       const vsp__num *outside);

/* Removes the point that changes the area least. */
void vsp__drop_flattest_point(vsp__polygon *polygon);

/* Removes the points at or above a height, m. */
void vsp__drop_points_above(vsp__polygon *polygon, vsp__num height);

/* Chooses up to four of two or more points: a deepest one, the one farthest
 * from it, and on each side of the line through these the one whose triangle
 * with them is largest.  Fills their indices and returns their number. */
VSP__CALLED uint32_t vsp__choose_four_points(const vsp__clip_point *points,
                                             uint32_t count, uint8_t *chosen);


/* ---- box.c: boxes ------------------------------------------------------- */

/* Computes the touch of a half-space and a box.  Points are vertices of the
 * face that is turned most to the plane: they are far apart, even when all
 * eight vertices of a thin plate are within the envelope. */
bool vsp__touch_plane_box(const vsp__placed_shape *plane,
                          const vsp__placed_shape *box, vsp__num envelope,
                          vsp__touch *t);

/* Computes the touch of two boxes. */
bool vsp__touch_boxes(const vsp__placed_shape *a, const vsp__placed_shape *b,
                      vsp__num envelope, vsp__touch *t);


/* ---- turned.c: cylinders and cones -------------------------------------- */

/* Points on each rim of a turned solid, for code that samples its surface;
 * those of the lower disc come first. */
#define VSP__RIM_CORNERS 16u

/* sine of the angle between axis and normal below which the lowest point of a
 * rim is noise: points are then fixed to the body, so that warm starts find
 * them */
#define VSP__UPRIGHT_SINE VSP__UNIT(0.001)

#if VSP_ROUNDS

/* Whether a core is round about its y axis, and no point or segment. */
static inline bool vsp__is_turned_core(const vsp__convex *c)
{
    return c->core == VSP__CORE_TURNED ||
           (VSP_TAPERS && c->core == VSP__CORE_TAPER);
}

/* Computes a corner of a turned solid with this half size. */
void vsp__turned_corner(const vsp__v3 *half, uint32_t i, vsp__v3 *v);

/* Computes the point of a turned solid farthest along a unit vector. */
void vsp__turned_support(const vsp__v3 *half, const vsp__v3 *d, vsp__v3 *v);

/* Moves a point to the nearest one of the surface, and fills the outward normal
 * there.  Returns how far outside it was, m; negative: inside. */
vsp__num vsp__gap_of_turned(const vsp__v3 *half, vsp__v3 *at, vsp__v3 *normal);

#else

static inline bool vsp__is_turned_core(const vsp__convex *c)
{
    (void)c;
    return false;
}

static inline void vsp__turned_corner(const vsp__v3 *half, uint32_t i,
                                      vsp__v3 *v)
{
    (void)half;
    (void)i;
    (void)v;
}

static inline void vsp__turned_support(const vsp__v3 *half, const vsp__v3 *d,
                                       vsp__v3 *v)
{
    (void)half;
    (void)d;
    (void)v;
}

static inline vsp__num vsp__gap_of_turned(const vsp__v3 *half, vsp__v3 *at,
                                          vsp__v3 *normal)
{
    (void)half;
    (void)at;
    (void)normal;
    return 0;
}

#endif /* VSP_ROUNDS */

/* Computes the touch of a half-space and a cylinder or cone.  Points are on the
 * rims of its discs: on a line of contact both of its ends. */
bool vsp__touch_plane_turned(const vsp__placed_shape *plane,
                             const vsp__placed_shape *solid, vsp__num envelope,
                             vsp__touch *t);


/* ---- taper.c: tapered capsules ------------------------------------------- */

#if VSP_TAPERS

static inline bool vsp__is_taper_core(const vsp__convex *c)
{
    return c->core == VSP__CORE_TAPER;
}

/* The half size of these functions has both radii and half the distance of the
 * centres: of a shape, a core, or, with radii of 0, a segment. */

/* Computes the outward normal of the side: x across the axis, y along it. */
void vsp__taper_side(const vsp__v3 *half, vsp__v3 *n);

/* Returns the radius around a point y of the axis. */
vsp__num vsp__taper_radius(const vsp__v3 *half, vsp__num y);

/* Computes the point farthest along a unit vector. */
void vsp__taper_support(const vsp__v3 *half, const vsp__v3 *d, vsp__v3 *v);

/* Moves a point to the nearest one of the surface, and fills the outward normal
 * there.  Returns how far outside it was, m; negative: inside. */
vsp__num vsp__gap_of_taper(const vsp__v3 *half, vsp__v3 *at, vsp__v3 *normal);

/* Returns the volume, m^3. */
vsp__wide vsp__taper_volume(const vsp__shape *shape);

/* Fills the centre of mass, and the inertia of one kilogram. */
void vsp__find_taper_mass(const vsp__shape *shape, vsp__mass_data *mass);

/* Computes the touch of a half-space and a tapered capsule: a point for each
 * ball. */
bool vsp__touch_plane_taper(const vsp__placed_shape *plane,
                            const vsp__placed_shape *solid, vsp__num envelope,
                            vsp__touch *t);

#else

static inline bool vsp__is_taper_core(const vsp__convex *c)
{
    (void)c;
    return false;
}

#define vsp__taper_radius(half, y) ((void)(half), (void)(y), (vsp__num)0)
#define vsp__taper_support(half, d, v) ((void)(half), (void)(d), (void)(v))
#define vsp__gap_of_taper(half, at, normal) \
    ((void)(half), (void)(at), (void)(normal), (vsp__num)0)
#define vsp__taper_volume(shape) VSP__W_ZERO
#define vsp__find_taper_mass(shape, mass) (void)0
#define vsp__touch_plane_taper(plane, solid, envelope, t) false

#endif


/* ---- forms.c: shapes as solids and surfaces ------------------------------ */

#if VSP_SHELLS || VSP_DRAW
/* a pose of zeros, for shapes of which only numbers in their own frame are
 * read */
extern const vsp__pose vsp__nowhere;
#endif

/* Computes the half size of a cylinder or cone: z is the radius of the upper
 * disc. */
void vsp__turned_half(const vsp__shape *shape, vsp__v3 *half);

/* Makes the convex solid of a shape that is not a half-space, shell, surface or
 * distance field. */
void vsp__make_convex(const vsp_world *world, const vsp__shape *shape,
                      const vsp__pose *pose, vsp__convex *c);

/* Makes the surface of a mesh, height field or shell, for surface.c. */
void vsp__make_surface(const vsp_world *world, const vsp__shape *shape,
                       const vsp__pose *pose, vsp__surface *surface);

/* A shape with its pose. */
vsp__placed_shape vsp__place_solid(const vsp__shape *shape,
                                   const vsp__pose *pose);


/* ---- core.c: corners and faces of convex solids ------------------------- */

/* The topology of a core: vertices, edges and faces, numbered as in a
 * vsp_hull. */
typedef struct vsp__core_form {
    uint8_t vertex_count, edge_count, face_count;
    const vsp_hull_edge *edges;
    bool is_mirrored; /* by its scale: left and right are swapped */
    const uint16_t *first;
    const uint8_t *corners;
} vsp__core_form;

typedef struct vsp__convex_side {
    const vsp__convex *solid;
    vsp__core_form form;
    vsp__v3 front;  /* normal of a triangle, in its frame; else 0 */
    vsp__v3 offset; /* origin of the other solid, in this frame */
} vsp__convex_side;

/* Two solids: side 0 is a, side 1 is b. */
typedef struct vsp__convex_pair {
    vsp__convex_side side[2];
    vsp__mat3 turn; /* from the frame of a to that of b */
    vsp__num radii; /* m, the sum of both */
    uint32_t left;  /* vsp__touch.left, for solids of revolution */
} vsp__convex_pair;

/* Corners of a core by number, in its frame: of a segment 0 and 1, of a brick
 * as in vsp__brick_corner, of a polyhedron as in its table; of a tapered
 * capsule the centres of its balls. */
uint32_t vsp__core_corner_count(const vsp__convex *c);
void vsp__core_corner(const vsp__convex *c, uint32_t i, vsp__v3 *v);

/* Fills *v with the corner farthest along a direction in the core's frame, the
 * first of equals.  Returns its number.  Of a turned solid *v is the exact
 * point for a unit vector, and the number 0. */
uint32_t vsp__farthest_corner(const vsp__convex *c, const vsp__v3 *d,
                              vsp__v3 *v);

/* Computes the point of a core farthest along a unit vector of the world,
 * relative to the core's origin, in world axes. */
void vsp__farthest_point(const vsp__convex *c, const vsp__v3 *direction,
                         vsp__v3 *point);

/* Computes the unit vector from one point to another.  Returns false if they
 * coincide. */
bool vsp__direct_between(const vsp__v3 *from, const vsp__v3 *to, vsp__v3 *u);

/* Computes the unit vector across two unit vectors.  Returns the square of the
 * sine of their angle: when this is small the vector is noise. */
vsp__num vsp__direct_across(const vsp__v3 *u, const vsp__v3 *v, vsp__v3 *n);

/* Fills a side with the topology of a solid; the offset is not set. */
void vsp__set_side(vsp__convex_side *s, const vsp__convex *c);

bool vsp__is_triangle(const vsp__convex_side *s);

/* Computes the outward normal of a face, in the core's frame.  Returns the
 * distance of its plane from the origin along it, m. */
vsp__num vsp__core_plane(const vsp__convex_side *s, uint32_t face, vsp__v3 *n);

/* Compute the plane of a polyhedron's face, as vsp__core_plane; the centre of
 * mass of the polyhedron, in the core's frame; and the radius of the largest
 * ball around that which is in it, m. */
vsp__num vsp__hull_plane(const vsp__convex *c, uint32_t face, vsp__v3 *n);
void vsp__hull_center(const vsp__convex *c, vsp__v3 *center);
vsp__num vsp__hull_room(const vsp__convex *c);

#if VSP_SCALES

/* Convert a direction to the frame of the table, and read a face's normal from
 * it: the sign of their product is that of the product in the core's frame, but
 * no normal needs to be scaled. */
void vsp__direction_to_table(const vsp__convex_side *s, vsp__v3 *d);
void vsp__table_normal(const vsp__convex_side *s, uint32_t face, vsp__v3 *n);

#else

static inline void vsp__direction_to_table(const vsp__convex_side *s,
                                           vsp__v3 *d)
{
    (void)s;
    (void)d;
}

static inline void vsp__table_normal(const vsp__convex_side *s, uint32_t face,
                                     vsp__v3 *n)
{
    (void)vsp__core_plane(s, face, n);
}

#endif

/* Returns the place of a face's corner in its list, which is read backwards in
 * a mirrored core; and that corner. */
static inline uint32_t vsp__face_order(const vsp__core_form *f, uint32_t count,
                                       uint32_t i)
{
    return VSP_SCALES && f->is_mirrored && i > 0 ? count - i : i;
}

static inline uint32_t vsp__face_corner(const vsp__core_form *f, uint32_t face,
                                        uint32_t i)
{
    uint32_t first = f->first[face], count = f->first[face + 1u] - first;

    return f->corners[first + vsp__face_order(f, count, i)];
}

/* Returns the face at a corner whose normal has the least cosine to a direction
 * in the core's frame. */
uint32_t vsp__face_against(const vsp__convex *c, uint32_t corner,
                           const vsp__v3 *d);

/* Converts a direction from the frame of one side to that of the other. */
void vsp__direction_to_other(const vsp__convex_pair *p, uint32_t side,
                             vsp__v3 *v);

/* Converts a point from the frame of a to that of b. */
void vsp__point_from_a(const vsp__convex_pair *p, vsp__v3 *v);

/* Computes the vector from the origin of a to that of b, in the world.  Returns
 * its length, m. */
vsp__num vsp__origin_distance(const vsp__convex *a, const vsp__convex *b,
                              vsp__v3 *offset);

/* Whether solids whose origins are this far apart are too far for fixed point:
 * then neither vsp__set_pair nor a function that needs a pair may be called. */
bool vsp__are_too_far_apart(vsp__num distance);

/* Prepares a pair; offset is from vsp__origin_distance. */
void vsp__set_pair(vsp__convex_pair *p, const vsp__convex *a,
                   const vsp__convex *b, const vsp__v3 *offset);


/* ---- distance.c: nearest points of convex solids ------------------------ */

/* Up to four points of the Minkowski difference a - b of two cores, and the
 * point of their hull nearest to the origin. */
typedef struct vsp__gjk_simplex {
    uint32_t count;
    vsp__v3 at[4];        /* in the frame of b */
    uint8_t vertex[4][2]; /* corners of a and b */
#if VSP_ROUNDS
    vsp__v3 on_b[4]; /* the points of b, if either core is turned */
#endif
    vsp__num share[4]; /* barycentric coordinates of the nearest point */
    vsp__num distance; /* m, of the nearest point from the origin */
    vsp__v3 direction; /* unit vector to the nearest point, so from b to a */
} vsp__gjk_simplex;

/* Computes the nearest points of two cores.  Returns their distance, m, or 0 if
 * they overlap: the simplex is then a guess.  Stops early when the distance is
 * surely above the limit, and returns a lower bound above it. */
vsp__num vsp__nearest_points(const vsp__convex_pair *p, vsp__num limit,
                             vsp__gjk_simplex *s);

/* Computes the nearest points of the cores, each relative to its origin, in
 * world axes. */
void vsp__simplex_points(const vsp__convex_pair *p, const vsp__gjk_simplex *s,
                         vsp__v3 on[2]);

/* Moves points of the cores to the surfaces of the solids; n is from a to b. */
void vsp__add_radii(const vsp__convex_pair *p, const vsp__v3 *n, vsp__v3 on[2]);

/* Completes t->points[t->count], whose points are on the cores; the normal is
 * set.  Its feature is the count, which is not changed.  Returns the distance
 * of the cores' points along the normal, m. */
vsp__num vsp__measure_point(const vsp__convex_pair *p, const vsp__v3 *offset,
                            vsp__touch *t);

/* Computes the nearest points of two solids.  Returns their distance, m, radii
 * included, or 0 when they overlap: the witness is then a guess.  Stops early
 * when the distance is surely above the limit, and returns a lower bound above
 * the limit.  Solids that are too far apart for fixed point also give a lower
 * bound, of any size, and no points. */
vsp__num vsp__convex_distance(const vsp__convex *a, const vsp__convex *b,
                              vsp__num limit, vsp__witness *w);


/* ---- convex.c: contacts of convex solids -------------------------------- */

/* Computes the contact of two convex solids.  Returns whether they are closer
 * than the envelope. */
bool vsp__touch_convex(const vsp__convex *a, const vsp__convex *b,
                       vsp__num envelope, vsp__touch *t);

/* Computes the contact of a half-space (y <= 0 of its frame) and a convex
 * solid.  Returns as vsp__touch_convex. */
bool vsp__touch_plane(const vsp__pose *plane, const vsp__convex *b,
                      vsp__num envelope, vsp__touch *t);


/* ---- taper_axis.c: tapered capsules with other solids ---------------------
 */

/* Computes the direction from a to b in which a pair with a tapered capsule has
 * the largest gap, in the world, and the points of both cores farthest along
 * it, relative to their origins.  Returns false if the axis of the capsule is
 * in the other core, or nearly: then there is no such direction that is easy to
 * find. */
bool vsp__find_taper_axis(const vsp__convex_pair *p, vsp__v3 *n, vsp__v3 on[2]);


/* ---- patch.c: cylinders and cones with other solids ---------------------- */

#if VSP_ROUNDS

#define VSP__PATCH_CORNERS 12u /* of a polygon: larger ones are thinned */
#define VSP__PATCH_POINTS 20u

/* indices of what a disc has instead of corners: its centre, and two unit
 * vectors across its axis */
#define VSP__PATCH_CENTER 0u
#define VSP__PATCH_U 1u
#define VSP__PATCH_V 2u

/* The part of a solid that is turned to the other one. */
typedef struct vsp__patch_form {
    uint32_t count; /* corners of a polygon; 2: a segment, 1: a point; 0: a
                       disc */
    vsp__v3 at[VSP__PATCH_CORNERS]; /* of a disc: VSP__PATCH_CENTER and so on */
    uint8_t part[VSP__PATCH_CORNERS]; /* feature of a corner */
    vsp__v3 normal;                   /* of a polygon or disc, outward */
    vsp__num radius;
    uint8_t rim; /* feature of the disc's first rim point */
} vsp__patch_form;

/* Two forms in the frame of a contact: x and y are across its normal, z is
 * along it.  Form 0, the reference, is in the plane z = 0.  Parts of points
 * below 16 are of rims and of the ends of a round side. */
typedef struct vsp__patch {
    vsp__v3 origin, x, y, n;
    vsp__patch_form form[2];
    vsp__num limit; /* m: points below it are contacts */
    uint32_t count;
    vsp__clip_point points[VSP__PATCH_POINTS];
} vsp__patch;

/* Computes the contact of a pair with a turned core, whose cores must be nearer
 * than the limit, m.  Returns whether there is one. */
bool vsp__touch_turned(vsp__convex_pair *p, const vsp__v3 *offset,
                       vsp__num limit, vsp__touch *t);

/* Fills the points of a turned solid, with these axes and position in the frame
 * of a triangle, that are over the triangle and, on the core, below the limit,
 * m. */
void vsp__make_face_patch(const vsp__surface_triangle *tri,
                          const vsp__convex *solid, const vsp__mat3 *axes,
                          const vsp__v3 *position, vsp__num limit,
                          bool is_corners_only, vsp__patch *q);

/* Computes point i of such a patch, on the solid, in the triangle's frame. */
void vsp__patch_point(const vsp__patch *q, uint32_t i, vsp__v3 *at);

#else

#define vsp__touch_turned(p, offset, limit, t) false

#endif


/* ---- reduce.c: contact reduction ---------------------------------------- */

/* m: counts as infinite; coordinates of tables are less */
#define VSP__FAR_LIMIT VSP__REAL(1000.0)

/* Costs of work on a pair, paid from reducer.left: of a sphere of a tree,
 * without the triangles near it, and if it is tested with a hull or a solid of
 * revolution; of a triangle that is near.  Paid from touch.left: of a search
 * for the nearest points of a solid of revolution; of an edge of a hull that is
 * compared with those of another hull; of this many corners of a hull that are
 * seen along an axis of a solid of revolution, 1. */
#define VSP__SPHERE_COST 5u
#define VSP__SPHERE_SOLID_COST 16u
#define VSP__TRIANGLE_COST 11u
#define VSP__NEAREST_COST 256u
#define VSP__EDGE_COST 6u
#define VSP__CORNERS_OF_UNIT 16u

/* Pays a cost from the budget of the pair.  Returns false if too little is
 * left, and then takes all. */
static inline bool vsp__pay(uint32_t *left, uint32_t cost)
{
    bool is_there = *left >= cost;

    *left = is_there ? *left - cost : 0;
    return is_there;
}

static inline bool vsp__reducer_pay(vsp__reducer *r, uint32_t cost)
{
    return vsp__pay(&r->left, cost);
}

/* Empties the reducer before the parts of a pair are added, and sets no limit
 * to the work on the pair. */
void vsp__reducer_begin(vsp__reducer *r);

/* Adds the touch of one part of the pair, whose number is `part`. */
void vsp__reducer_add(vsp__reducer *r, const vsp__touch *t, uint32_t part);

/* Reduces the groups after all parts were added.  Returns the number of
 * touches, 0 to VSP__REDUCER_GROUPS, each of 1 to 4 points; all points have
 * different features. */
uint32_t vsp__reducer_end(vsp__reducer *r, vsp__num width);

/* Fills the touch with this index, after vsp__reducer_end. */
void vsp__reducer_get(const vsp__reducer *r, uint32_t index, vsp__touch *t);

/* Adds one point.  Of two points at the same position the deeper one stays,
 * with the lower of both features; the solid's own corners have low ones. */
void vsp__add_reduced_point(vsp__reducer *r, const vsp__v3 *normal,
                            vsp__touch_point *point);

/* Returns the feature of a point of a part, 64 to 255; the corners of a solid
 * have lower ones. */
uint32_t vsp__part_feature(uint32_t part, uint32_t feature);


/* ---- triangles.c: triangles of meshes and height fields ----------------- */

/* Starts a walk over the triangles whose bounds touch these, given in the
 * surface's frame. */
void vsp__start_triangles(vsp__triangle_walk *walk, const vsp__surface *surface,
                          const vsp__aabb *bounds);

/* Returns the highest height of the height field of a shape, in steps. */
int32_t vsp__field_top(const vsp_world *world, const vsp__shape *shape);

/* Limits a walk that has just started, and has triangles, to `limit` of them, 2
 * or more, spread over all within its bounds. */
void vsp__spread_triangles(vsp__triangle_walk *walk, uint32_t limit);

/* Returns the next triangle: its corners, m, in the surface's frame, and its
 * number.  Returns false, with undefined outputs, at the end. */
bool vsp__next_triangle(vsp__triangle_walk *walk, vsp__v3 corners[3],
                        uint32_t *index);

/* Returns the highest height of a height field, m. */
vsp__num vsp__surface_top(const vsp__surface *s);

/* Whether a point is over or under triangle `index` of a height field, one half
 * of a cell, and not over the other half; d is its place in x and z from a
 * corner that both halves have, m. */
bool vsp__is_over_half(const vsp__surface *s, uint32_t index, const vsp__v3 *d);

/* Returns a height of a height field, in steps, or VSP_HOLE. */
int32_t vsp__surface_height(const vsp__surface *s, uint32_t column,
                            uint32_t row);

/* Returns the flat edges of a triangle, bits as in vsp_triangle.marks. */
uint32_t vsp__flat_edges(const vsp__surface *s, uint32_t index);

/* Returns the material of a triangle: a number in the palette of its table, or
 * 0. */
#if VSP_MATERIALS
uint32_t vsp__triangle_material(const vsp__surface *s, uint32_t index);
#else
static inline uint32_t vsp__triangle_material(const vsp__surface *s,
                                              uint32_t index)
{
    (void)s;
    (void)index;
    return 0;
}
#endif


/* ---- surface.c: contacts with meshes and height fields ------------------ */

/* Adds the contacts of a surface, a, and a convex solid, b. */
void vsp__touch_surface(const vsp__surface *surface, const vsp__convex *solid,
                        vsp__num envelope, vsp__reducer *r);


/* ---- sdf.c: contacts with signed-distance solids ------------------------ */

/* Returns the signed distance of a point in the table's frame, m, negative
 * inside, and fills the outward normal.  Outside of the grid the error is up to
 * half a cell and a tenth of the distance from the grid. */
vsp__num vsp__sdf_distance(const vsp_sdf *sdf, const vsp__v3 *point,
                           vsp__v3 *normal);

/* Returns the distance of a convex solid from a signed-distance solid, m,
 * sampled at corners or along a segment: the true distance may be less. */
vsp__num vsp__sdf_gap(const vsp_sdf *sdf, const vsp__pose *pose,
                      const vsp__convex *b);

/* Adds the contacts of a convex solid: corners, spheres and capsules are
 * sampled in the grid; faces and edges are tested with the spheres of the
 * tree. */
void vsp__touch_sdf_convex(const vsp__placed_sdf *a, const vsp__convex *b,
                           vsp__num envelope, vsp__reducer *reducer);

/* Adds the contacts of a surface with the leaves of the sphere tree. */
void vsp__touch_surface_sdf(const vsp__surface *a, const vsp__placed_sdf *b,
                            vsp__num envelope, vsp__reducer *reducer);

/* Adds the contacts of two signed-distance solids: leaves of each are sampled
 * in the grid of the other.  a may be a half-space. */
void vsp__touch_two_sdfs(const vsp__placed_sdf *a, const vsp__placed_sdf *b,
                         vsp__num envelope, vsp__reducer *reducer);


/* ---- facets.c: surfaces as points, segments and triangles ---------------- */

/* A piece of a shape's surface, in the frame of the shape. */
typedef struct vsp__facet {
    vsp__v3 corner[3];
    uint32_t count; /* corners: 1 a point, 2 a segment, 3 a triangle */
    uint32_t owned; /* bit k: corner k, bit 3 + k: the edge from it to the
                       next one, is tested with this facet; facets of a box,
                       hull or surface may share corners, those of a surface
                       also edges */
    uint32_t index;
    vsp__num radius; /* m, around the corners */
} vsp__facet;

/* A walk over the facets of a shape that reach into bounds. */
typedef struct vsp__facet_walk {
    const vsp__shape *shape;
    vsp__aabb bounds; /* in the frame of the shape */
    vsp__surface surface;
    vsp__triangle_walk triangles; /* of a shell or surface */
    const vsp_sdf *field;
    vsp__convex solid;
    vsp__convex_side side; /* of a solid */
    uint32_t next, corner; /* sphere or face; corner of its fan */
} vsp__facet_walk;

void vsp__start_facets(const vsp_world *world, const vsp__shape *shape,
                       const vsp__aabb *bounds, vsp__facet_walk *walk);

/* Returns the next facet.  Returns false, with undefined outputs, at the
 * end. */
bool vsp__next_facet(vsp__facet_walk *walk, vsp__facet *f);

/* A shape and its path in a step: index 0 is the start, 1 the end. */
typedef struct vsp__moving_shape {
    const vsp__shape *shape;
    vsp__mat3 axes[2];
    vsp__v3 place[2];     /* from an origin that the shapes of a pair share */
    vsp__v3 middle, half; /* of a box around it, in its frame */
    vsp__num turn;        /* m: largest displacement of a point by rotation */
    bool is_still;        /* start and end are equal */
} vsp__moving_shape;

void vsp__set_moving_shape(const vsp_world *world, uint32_t slot,
                           const vsp__pose *start, const vsp__pose *end,
                           const vsp__v3 *origin, vsp__moving_shape *m);

/* A facet, and the positions of its corners at both ends of the path. */
typedef struct vsp__moving_facet {
    vsp__facet facet;
    vsp__v3 at[2][3];
    vsp__aabb bounds; /* bounds of these corners */
    vsp__v3 normal;   /* of a triangle at the start; else 0 */
} vsp__moving_facet;

/* Fills positions and bounds of a facet's corners. */
void vsp__place_facet(const vsp__moving_shape *m, vsp__moving_facet *f);

/* Fills the normal of a facet: 0 if it is no triangle. */
void vsp__find_facet_normal(vsp__moving_facet *f);

/* Returns the largest displacement of a point of one shape relative to the
 * other, m. */
vsp__num vsp__relative_way(const vsp__moving_shape *a,
                           const vsp__moving_shape *b);

/* A walk over the pairs of facets of two shapes that come nearer than a margin
 * on their paths, and perhaps some more. */
typedef struct vsp__facet_pairs {
    const vsp_world *world;
    const vsp__moving_shape *shape[2];
    vsp__num margin;   /* m */
    vsp__mat3 turn[2]; /* from the frame of shape 0 to that of shape 1 */
    vsp__v3 move[2];
    vsp__v3 seen[2][3]; /* corners of facet 0 in the frame of shape 1 */
    uint32_t ends;      /* of the path: 1 if start and end are equal */
    /* the extent of facet 0 along its normal, with the margin; valid if
     * is_near */
    vsp__v3 along;
    vsp__num low, high;
    bool is_near;
    vsp__facet_walk walk[2];
    vsp__moving_facet facet[2];
    bool is_open;
} vsp__facet_pairs;

void vsp__start_facet_pairs(const vsp_world *world, const vsp__moving_shape *a,
                            const vsp__moving_shape *b, vsp__num margin,
                            vsp__facet_pairs *p);

bool vsp__next_facet_pair(vsp__facet_pairs *p);

/* Two features, and the positions of their corners at both ends of the path: a
 * point at[][0] and a triangle, or two edges of two corners each. */
typedef struct vsp__feature_pair {
    vsp__v3 at[2][4];
    vsp__num radii; /* sum of both radii, m */
    bool are_edges;
    bool is_flipped; /* the first feature belongs to b */
} vsp__feature_pair;

#define VSP__FEATURE_PAIRS 15u /* of two facets */

/* Fills the next pair of features of a pair of facets; *next is its number, 0
 * at first.  Returns false at the end. */
bool vsp__next_features(vsp__facet_pairs *p, uint32_t *next,
                        vsp__feature_pair *f);


/* Returns the edge of facet 0 or 1 in a pair of edges, from *next after
 * vsp__next_features. */
static inline uint32_t vsp__edge_of_pair(uint32_t next, uint32_t which)
{
    return which == 0 ? (next - 7u) / 3u : (next - 7u) % 3u;
}


/* ---- features.c: distances and paths of features ------------------------- */

/* The nearest points of two features. */
typedef struct vsp__nearest_features {
    vsp__square square; /* squared distance, m^2 */
    vsp__num share[4];  /* weights of the corners, units */
    bool is_inside;     /* inside of the face or both edges, not at an end */
} vsp__nearest_features;

void vsp__find_nearest_features(const vsp__v3 x[4], bool are_edges,
                                vsp__nearest_features *best);

/* Computes the points of two features from the shares of their corners. */
void vsp__feature_points(const vsp__v3 x[4], bool are_edges,
                         const vsp__num share[4], vsp__v3 on[2]);

/* Computes the direction from the first of two features to the second one:
 * if the nearest points are inside of a face or of both edges, perpendicular to
 * these, which is precise even far from the origin; else from point to point.
 * Returns false if they meet. */
bool vsp__find_feature_direction(const vsp__v3 x[4], bool are_edges,
                                 const vsp__nearest_features *near, vsp__v3 *n);

typedef struct vsp__feature_hit {
    vsp__nearest_features near; /* nearest points at the hit */
    vsp__num distance;          /* m, at the start */
    uint32_t rounds; /* of the search, whether it found a hit or not */
} vsp__feature_hit;

/* Returns whether two features come nearer to each other than a gap, m, before
 * *time, a fraction of the step.  Features that are nearer already may lose a
 * fifth of their distance, but not end the step below half of the gap and
 * nearer than at its start.  If they come nearer, *time becomes that of the
 * hit, which may be too early, but never too late. */
bool vsp__do_features_hit(const vsp__feature_pair *f, vsp__num gap,
                          vsp__num *time, vsp__feature_hit *hit);


/* ---- shell.c: shells and other shapes ------------------------------------ */

/* m: the distance at which shells come to rest, and the least distance that a
 * step may leave. */
vsp__num vsp__shell_rest(const vsp_world *world);
vsp__num vsp__shell_gap(const vsp_world *world);

/* Grows the bounds of all shapes to enclose their poses at the ends of the
 * first `shown` paths of this step. */
void vsp__add_path_bounds(vsp_world *world);

/* The first hit of two shapes: where they come too near on their paths.  Points
 * are relative to the position of a at the start. */
typedef struct vsp__path_hit {
    bool is_hit;
    vsp__num way;      /* m: displacement relative to each other */
    vsp__num time;     /* a unit, 0 to 1 */
    vsp__num distance; /* m: of the features at the start */
    vsp__num approach; /* m: how far the points approach in the whole step */
    vsp__v3 on[2];     /* points of the surfaces that hit, at the start */
    vsp__v3 end[2];    /* and at the end */
    vsp__v3 origin;    /* position of a at the start, in the world */
    vsp__v3 normal;    /* from a to b, at the hit */
    uint32_t feature;  /* plus 256 times the material there */
} vsp__path_hit;

/* Computes the first hit of two shapes on their paths; one of them is a shell,
 * and the first may be a half-space.  Finds none if the displacement is shorter
 * than the gap that detection stored less 1.5 times vsp__shell_gap. */
bool vsp__find_path_hit(vsp_world *world, uint32_t pair,
                        const vsp__pose start[2], const vsp__pose end[2],
                        vsp__path_hit *hit);

/* Begins a detection that includes the paths of this step.  The first try,
 * which may detect again for bodies that wake, recomputes gaps and hits. */
void vsp__show_paths(vsp_world *world);

/* Empties the hit list of a path; later detections make contacts of its hits.
 * Lists lie one behind the other: call this for paths in ascending order. */
void vsp__begin_told_hits(vsp_world *world, uint32_t path);

/* Stores the hit of a pair if its displacement is long enough and the list is
 * not full: call this for pairs in ascending order. */
void vsp__tell_hit(vsp_world *world, uint32_t path, uint32_t pair,
                   const vsp__path_hit *hit);

/* Returns the distance of a shell and another shape, m, at most `reach`. */
vsp__num vsp__shell_distance(vsp_world *world, uint32_t a, uint32_t b,
                             const vsp__pose pose[2], vsp__num reach);

/* Adds the contacts of a shell and another shape: where they are near, and
 * where they hit on the paths of the step; computes the first of these hits. */
void vsp__touch_shell(vsp_world *world, uint32_t pair, vsp__reducer *r);


/* ---- table.c: checks of geometry ---------------------------------------- */

/* Checks a table, whose first word is its type, by reading all of it.  Pointers
 * in it are null or lead to as many numbers as its counts say.  Returns the
 * first flaw found, VSP_FLAW_KIND for a type that is not built in. */
vsp_flaw vsp__check_table(const void *table);

/* Returns a hash of all numbers of a checked table, the same on every
 * machine. */
uint32_t vsp__digest_table(const void *table);

#if VSP_SCALES

/* Returns whether the normal of a triangle is accurate. */
bool vsp__is_wide_triangle(const vsp_place corners[3]);

#endif

#if VSP_MAX_RUNTIME_HULLS > 0

/* Computes volume, centre and inertia of a hull, of which all else is filled.
 * Returns false if they cannot be those of a hull. */
bool vsp__weigh_hull(const vsp_hull *t, vsp_bulk *b);


/* ---- build_hull.c: runtime hulls ----------------------------------------- */

/* The place nearest to a coordinate, m. */
static inline int32_t vsp__place_near(vsp__num a)
{
    return r_to_place(
        r_add(a, r_signed(VSP__REAL(4.76837158203125e-07), a < 0)));
}

/* Sets the addresses of a table to the arrays of a runtime hull. */
void vsp__view_hull(const vsp__runtime_hull *hull, vsp_hull *view);

/* Frees a slot: clears all except its generation. */
void vsp__empty_hull(vsp__runtime_hull *hull);

/* Makes the hull of the first *count entries of vertices.  Fills all but the
 * generation, keeps only vertices of the hull and sets *count to their number.
 * Returns false, and frees the slot, if the points have no hull. */
bool vsp__build_hull(vsp__runtime_hull *hull, uint32_t *count);

#endif /* VSP_MAX_RUNTIME_HULLS */


/* ---- narrow.c: the function for a pair ---------------------------------- */

/* Fills the touch of two shapes, neither of which is a shell, a surface or a
 * distance field.  Returns whether they are closer than the envelope.  Only a
 * may be a half-space. */
bool vsp__touch_solids(const vsp_world *world, const vsp__placed_shape *a,
                       const vsp__placed_shape *b, vsp__touch *t);

/* Computes the touches of a pair, with the poses in find.poses.  Returns their
 * number: the first one is in find.touch, and those of a pair with parts are in
 * the reducer (vsp__reducer_get).  Inlined, it would hide from callers that
 * there is one at most in builds without parts. */
VSP__CALLED uint32_t vsp__touch_pair(vsp_world *world, uint32_t pair);

/* Counts the work on a pair without parts, and pays for it from the budget of
 * the pass. */
void vsp__pay_touch(vsp_world *world, const vsp__touch *t);

#if VSP_WORKERS
/* Fills the touch of a pair without parts, with the poses in find.poses.
 * Returns whether they touch.  Counts nothing. */
bool vsp__touch_pair_of_solids(const vsp_world *world, uint32_t pair,
                               vsp__touch *t);
#endif


/* ---- manifold.c: detection ---------------------------------------------- */

/* Fills the arms and gaps of a manifold's points from a touch.  a and b are the
 * axes of the two bodies. */
void vsp__set_manifold_points(const vsp_world *world, const vsp__manifold *m,
                              const vsp__touch *t, const vsp__mat3 *a,
                              const vsp__mat3 *b, vsp__manifold_point *points);

/* Detects all contacts at the present poses, for pairs in world.pair_scope:
 * fills the manifolds, points and counts of a list (VSP__CONTACTS_...), in the
 * order of pair keys; layers and multipliers are 0, flags 0 or VSP__ROLLS.  The
 * after list begins with copies of the still manifolds of the solved list,
 * which keep all but VSP__ROLLS.  When a capacity is exhausted, the deepest
 * manifolds stay. */
void vsp__detect_contacts(vsp_world *world, uint32_t list);

/* Whether the present bounds of two shapes overlap, each half an envelope
 * larger.  a may be a half-space. */
bool vsp__are_bounds_near(const vsp_world *world, uint32_t a, uint32_t b);

#endif /* VSP_COLLIDE_H */
