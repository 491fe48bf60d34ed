/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The functions that gcc calls for floating point on a CPU without it.  Tests
 * compile them under other names, beside the host's own. */

#ifndef SOFTFLOAT_H
#define SOFTFLOAT_H

#include <stdint.h>

#ifndef SOFTFLOAT_NAME
#define SOFTFLOAT_NAME(name) name
#endif

float SOFTFLOAT_NAME(__addsf3)(float a, float b);
float SOFTFLOAT_NAME(__subsf3)(float a, float b);
float SOFTFLOAT_NAME(__mulsf3)(float a, float b);
float SOFTFLOAT_NAME(__divsf3)(float a, float b);
int SOFTFLOAT_NAME(__eqsf2)(float a, float b);
int SOFTFLOAT_NAME(__nesf2)(float a, float b);
int SOFTFLOAT_NAME(__ltsf2)(float a, float b);
int SOFTFLOAT_NAME(__lesf2)(float a, float b);
int SOFTFLOAT_NAME(__gtsf2)(float a, float b);
int SOFTFLOAT_NAME(__gesf2)(float a, float b);
int SOFTFLOAT_NAME(__unordsf2)(float a, float b);
float SOFTFLOAT_NAME(__floatsisf)(int32_t a);
float SOFTFLOAT_NAME(__floatunsisf)(uint32_t a);
int32_t SOFTFLOAT_NAME(__fixsfsi)(float a);
uint32_t SOFTFLOAT_NAME(__fixunssfsi)(float a);

double SOFTFLOAT_NAME(__adddf3)(double a, double b);
double SOFTFLOAT_NAME(__subdf3)(double a, double b);
double SOFTFLOAT_NAME(__muldf3)(double a, double b);
double SOFTFLOAT_NAME(__divdf3)(double a, double b);
int SOFTFLOAT_NAME(__eqdf2)(double a, double b);
int SOFTFLOAT_NAME(__nedf2)(double a, double b);
int SOFTFLOAT_NAME(__ltdf2)(double a, double b);
int SOFTFLOAT_NAME(__ledf2)(double a, double b);
int SOFTFLOAT_NAME(__gtdf2)(double a, double b);
int SOFTFLOAT_NAME(__gedf2)(double a, double b);
int SOFTFLOAT_NAME(__unorddf2)(double a, double b);
double SOFTFLOAT_NAME(__floatsidf)(int32_t a);
double SOFTFLOAT_NAME(__floatunsidf)(uint32_t a);
int32_t SOFTFLOAT_NAME(__fixdfsi)(double a);
uint32_t SOFTFLOAT_NAME(__fixunsdfsi)(double a);

double SOFTFLOAT_NAME(__extendsfdf2)(float a);
float SOFTFLOAT_NAME(__truncdfsf2)(double a);

#endif
