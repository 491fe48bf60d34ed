/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the header of raylib: counts what is drawn. */

#ifndef RAYLIB_H
#define RAYLIB_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Vector3 {
    float x, y, z;
} Vector3;

typedef struct Color {
    unsigned char r, g, b, a;
} Color;

typedef struct Camera3D {
    Vector3 position, target, up;
    float fovy;
    int projection;
} Camera3D;

#define RAYWHITE ((Color){245, 245, 245, 255})

static int line_count, triangle_count;

static inline void InitWindow(int width, int height, const char *title)
{
    (void)width, (void)height, (void)title;
}

static inline void CloseWindow(void)
{
    printf("%d lines, %d triangles\n", line_count, triangle_count);
}

static inline bool WindowShouldClose(void)
{
    return false;
}

static inline void SetTargetFPS(int fps)
{
    (void)fps;
}

static inline void BeginDrawing(void)
{
}

static inline void EndDrawing(void)
{
}

static inline void ClearBackground(Color color)
{
    (void)color;
}

static inline void BeginMode3D(Camera3D camera)
{
    (void)camera;
}

static inline void EndMode3D(void)
{
}

static inline void DrawLine3D(Vector3 a, Vector3 b, Color color)
{
    (void)a, (void)b, (void)color;
    line_count++;
}

static inline void DrawTriangle3D(Vector3 a, Vector3 b, Vector3 c, Color color)
{
    (void)a, (void)b, (void)c, (void)color;
    triangle_count++;
}

#endif
