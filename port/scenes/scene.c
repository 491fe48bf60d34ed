/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Functions of all scenes, in this order: numbers, names of scenes, runs. */

#include "scene.h"


/* ---- Numbers ------------------------------------------------------------ */

#if VSP_FIXED

/* Converts integer part and fraction to 32 bits each, since some compilers'
 * libraries cannot convert a float to 64 bits; double may be float there. */
vsp_real scene_real(double number)
{
    double nearest = (double)(float)number;
    double size = nearest < 0.0 ? -nearest : nearest;
    uint32_t whole, part;
    int64_t bits;

    if (!(size < 2147483648.0))
        return INT64_MIN;
    whole = (uint32_t)size;
    part = (uint32_t)((size - (double)whole) * 4294967296.0);
    bits = (int64_t)((uint64_t)whole << 32 | part);
    return nearest < 0.0 ? -bits : bits;
}

#else

vsp_real scene_real(double number)
{
    return (vsp_real)number;
}

#endif


/* ---- Names -------------------------------------------------------------- */

/* Returns the text after a prefix; null if it does not begin with the
 * prefix. */
static const char *skip_prefix(const char *text, const char *prefix)
{
    while (*prefix != '\0' && *text == *prefix) {
        text++;
        prefix++;
    }
    return *prefix == '\0' ? text : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits, and perhaps a point and more digits, below 1e15 in all.
 * Returns the text after them; null if there is no number. */
static const char *read_number(const char *text, double *number)
{
    double digits = 0.0;
    double scale = 1.0;
    bool is_behind_point = false;
    bool has_digit = false;

    for (; is_digit(*text) || (*text == '.' && !is_behind_point); text++) {
        if (*text == '.') {
            is_behind_point = true;
            continue;
        }
        digits = digits * 10.0 + (double)(*text - '0');
        scale = is_behind_point ? scale * 10.0 : scale;
        has_digit = true;
        if (digits >= 1.0e15)
            return 0;
    }
    *number = digits / scale;
    return has_digit ? text : 0;
}

/* Reads a number that may be negative. */
static const char *read_signed(const char *text, double *number)
{
    bool is_negative = *text == '-';

    text = read_number(is_negative ? text + 1 : text, number);
    if (is_negative)
        *number = -*number;
    return text;
}

/* Reads a number that may end in e-1 to e-9. */
static const char *read_small(const char *text, double *number)
{
    const char *rest = read_number(text, number);

    if (!rest || rest[0] != 'e')
        return rest;
    if (rest[1] != '-' || !is_digit(rest[2]))
        return 0;
    for (char power = rest[2]; power > '0'; power--)
        *number /= 10.0;
    return rest + 3;
}

/* Reads a whole number. */
static const char *read_seed(const char *text, uint32_t *seed)
{
    double number;

    text = read_number(text, &number);
    if (!text || number > 4294967295.0)
        return 0;
    *seed = (uint32_t)number;
    return number > *seed ? 0 : text;
}

/* Reads the noise, m, and after a comma its seed. */
static const char *read_noise(const char *text, scene_variant *variant)
{
    text = read_small(text, &variant->noise);
    variant->noise_seed = 1;
    if (text && *text == ',')
        text = read_seed(text + 1, &variant->noise_seed);
    return variant->noise <= 0.1 ? text : 0;
}

/* Reads the suffixes.  Returns false if there is anything else. */
static bool read_suffixes(const char *text, scene_variant *variant)
{
    if (text && *text == ':')
        text = read_number(text + 1, &variant->number);
    if (text && *text == '~')
        text = read_seed(text + 1, &variant->seed);
    if (text && *text == '^')
        text = read_noise(text + 1, variant);
    if (text && *text == '@')
        text = read_signed(text + 1, &variant->turn);
    return text && *text == '\0' && variant->turn <= 3600.0 &&
           variant->turn >= -3600.0;
}

static bool is_name_end(char c)
{
    return c == '\0' || c == ':' || c == '~' || c == '^' || c == '@';
}

const scene *scene_find(const char *name, scene_variant *variant)
{
    for (uint32_t i = 0; i < scene_count; i++) {
        const char *rest = skip_prefix(name, scenes[i].name);

        if (!rest || !is_name_end(*rest))
            continue;
        variant->number = scenes[i].number;
        variant->seed = variant->noise_seed = 0;
        variant->noise = variant->turn = 0.0;
        return read_suffixes(rest, variant) ? &scenes[i] : 0;
    }
    return 0;
}


/* ---- Running ------------------------------------------------------------ */

vsp_world_def scene_world_def(const scene *which)
{
    vsp_world_def def = vsp_world_def_default();

    def.dt = scene_real(which->dt);
    def.enable_sleep = (which->traits & SCENE_SLEEPY) != 0;
    if (which->traits & SCENE_WATCHED)
        def.reports = VSP_REPORT_BEGIN | VSP_REPORT_PERSIST | VSP_REPORT_END |
                      VSP_REPORT_SENSOR | VSP_REPORT_SLEEP | VSP_REPORT_JOINT;
    if (which->traits & SCENE_SENSES)
        def.reports |= VSP_REPORT_SENSOR;
    if (which->is_weightless)
        def.gravity.y = VSP_R(0.0);
    return def;
}

bool scene_start(scene_run *run, const scene *which, scene_variant variant)
{
    static const vsp_body_id none = {0};
    static const vsp_recorder off;

    run->recorder = off;
    run->scene = which;
    run->variant = variant;
    run->random = variant.seed * 2654435761u + 999u;
    run->noise = variant.noise_seed * 2654435761u + 999u;
    run->is_count = false;
    run->failures = 0;
    run->wild = 0;
    for (int i = 0; i < SCENE_MARKS; i++)
        run->marks[i] = none;
    run->material = vsp_sphere(VSP_R(1.0)).material;
    which->build(run);
    return run->failures == 0;
}

vsp_recorder *scene_recorder(scene_run *run)
{
    run->recorder.world = run->world;
    return &run->recorder;
}

void scene_drive(scene_run *run, uint32_t step)
{
    if (run->scene->drive)
        run->scene->drive(run, step);
}

vsp_status scene_step(scene_run *run, uint32_t step)
{
    scene_drive(run, step);
    return vsp_record_step(scene_recorder(run));
}
