/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Changed parts of height fields: any tile, of a shape of any type, against
 * fields of 1 to 3 points a side, with materials and without. ci/prove names
 * the function where the analysis begins. */

#include "any.h"

#define VSP_CONFIG "tests/prove/small.h"
#include "src/number/vector.c"
#include "src/number/float.c"
#include "src/number/fixed.c"
#include "src/number/rotation.c"

#include "src/state/words.c"
#include "src/state/pair_rule.c"
#include "src/state/scale.c"
#include "src/state/material.c"
#include "src/state/field.c"

#define MOST_SIDE 3u

/* a scale as vsp__is_scale has checked it */
static vsp__num any_scale(void)
{
    return Frama_C_float_interval(-100.0f, 100.0f);
}

static void fill_field(vsp_field_materials *t, uint32_t columns, uint32_t rows)
{
    static int16_t heights[MOST_SIDE * MOST_SIDE];
    static uint8_t of[(MOST_SIDE - 1u) * (MOST_SIDE - 1u)];
    static vsp_table_material palette[1];

    t->field.columns = columns;
    t->field.rows = rows;
    t->field.step = any_int(1, 100 * VSP_PLACE);
    t->field.heights = heights;
    t->materials.palette = palette;
    t->materials.of = of;
}

/* Checks a tile against a field of this size. */
static void try_tile(uint32_t kind, uint32_t columns, uint32_t rows)
{
    static vsp_world world;
    static vsp_field_materials table;
    static vsp__shape shape;
    static vsp__field_tile tile, last;

    fill_field(&table, columns, rows);
    table.field.kind = kind;
    world.tables[0] = &table;
    shape.table = 1;
    shape.size = v3(any_scale(), any_scale(), any_scale());
    PROVE(vsp__is_tile(&world, &shape, &tile));
    PROVE((vsp__bound_tile(&tile), 0));
    PROVE(vsp__is_tile_after(&tile, &last));
}

void prove_tile(void)
{
    uint32_t columns, rows;

    /*@ loop unroll 3; */
    for (columns = 1; columns <= MOST_SIDE; columns++)
        /*@ loop unroll 3; */
        for (rows = 1; rows <= MOST_SIDE; rows++) {
            try_tile(VSP_TABLE_HEIGHT_FIELD, columns, rows);
            try_tile(VSP_TABLE_FIELD_MATERIALS, columns, rows);
        }
}
