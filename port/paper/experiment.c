/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* The list of experiments, processes that run them, and the report. */

#define _POSIX_C_SOURCE 200112L

#include "experiment.h"

#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "experiments.h"
#include "peers.h"

#define AT_ONCE 2 /* processes: most computers have two cores */
#define MAX_EXPERIMENTS 64
#define MAX_LINE 4096

const experiment experiments[] = {
    {"vsp-matrices", ERLEBEN_2007, "Figures 2 to 4, equations 34 to 36",
     "Types of stacks, system matrices and iteration matrices",
     "A is extremely sparse, symmetric and blocked, with a large null space.  "
     "Many eigenvalues of T are 1, and T is more of a lower diagonal.  Large "
     "mass ratios seem to change the spectral radius.",
     run_matrices},
    {"vsp-convergence", ERLEBEN_2007, "Figure 5, equations 37, 38 and 44",
     "Merit by iteration, for methods and stacks",
     "Gauss-Seidel converges linearly, at a rate that depends on the "
     "configuration; Jacobi converges terribly, SOR gains energy, and "
     "conjugate gradients are erratic with friction.",
     run_convergence},
    {"vsp-damping", ERLEBEN_2007, "Figures 6 to 8, equations 39 to 44",
     "Damping gamma (constraint force mixing) and diagonal scaling",
     "Even a small gamma makes Gauss-Seidel converge much faster, but damps "
     "the solution just as much; the eigenvalues of T that are 1 disappear.  "
     "Diagonal scaling does not change the asymptotic rate.",
     run_damping},
    {"vsp-iterations", ERLEBEN_2007, "Figures 9 to 11",
     "Stacks by the iterative solver alone",
     "Not even 100,000 iterations work for the stack of 25 boxes; 100 are "
     "acceptable for the wall and the tower.",
     run_iterations},
    {"vsp-correction", ERLEBEN_2007, "Figure 13",
     "Overlap of a grid of balls, corrected",
     "With shock propagation it is gone within 6 frames of 5 iterations; "
     "without, it fails to converge.",
     run_correction},
    {"vsp-literal", ERLEBEN_2007, "Figures 12 and 14",
     "Velocity-based shock propagation as printed",
     "With shock propagation, never more than 10 iterations of dynamics and 5 "
     "of correction are needed, and the stacks stand.",
     run_figure_14},
    {"vsp-animals", ERLEBEN_2007, "Figures 1 and 15 to 19",
     "Silo, falling animals, roof, letters",
     "Time is linear in the number of contacts, for stepping and for "
     "detection. Animals that fall from hundreds of metres, so that they move "
     "half their length in a step, overlap extremely but are corrected.",
     run_falls},
    {"vsp-isp", ERLEBEN_2007, "Figures 20 to 23",
     "A tower of 800 bricks under a roof and a cannonball",
     "Impulse-based shock propagation shakes the tower and rattles it apart; "
     "VSP does not, and takes 2 detections a step instead of 15. The ball "
     "makes a nice crack.",
     run_roof_tower},
    {"vsp-popcorn", ERLEBEN_2007, "Figures 28 to 30, section 6",
     "Overlap by speed, energy at rest, continuous detection",
     "Explicit steps let fast bodies overlap deeply. The energy of an animal "
     "at rest has a saw-tooth, which shorter steps diminish. Continuous "
     "detection would avoid large overlaps.",
     run_popcorn},
    {"vsp-slides", ERLEBEN_2007, "The slides",
     "Drift by iterations, a stack by ISP and VSP, balls",
     "After 4 s stacks by 10 iterations have fallen; 100 help the wall and the "
     "tower.",
     run_slides},
    {"pgs-sm-pictures", SILCOWITZ_2010, "Figure 2 and the video",
     "The eight cases, and snakes after some seconds",
     "The cases are challenging: joints with limits, mass ratios, static "
     "friction. Motion with PGS-SM looks more plausible.",
     run_sm_pictures},
    {"pgs-sm-literal", SILCOWITZ_2010, "Figure 3",
     "Convergence with the paper's setting, and with each departure",
     "PGS-SM behaves well for small configurations and for joints; for larger "
     "ones it converges as PGS does. Spikes show that it guessed a wrong "
     "active set.",
     run_sm_literal},
    {"pgs-sm-merit", SILCOWITZ_2010, "Figure 3", "Merit by work",
     "PGS-SM has superior convergence; it behaves rather well for small "
     "configurations and configurations with joints.",
     run_subspace},
    {"pgs-sm-variants", SILCOWITZ_2010, "Section 5.1",
     "Variants, blow-ups, and singular values",
     "Simulations may blow up, even with a pseudo inverse. Regularisation is "
     "robust but damps; lazy bounds and relative termination help.",
     run_sm_variants},
    {"range-chains", MUELLER_2017, "Figures 13, 14 and 18",
     "Chains, rings and towers, with and without long-range constraints",
     "With long-range constraints and 10 iterations a chain keeps its length "
     "at a mass ratio of 1:10,000; without, the weight stays on the floor even "
     "with 1,000. A ring of 132 hinges stays planar with only 5 iterations. "
     "Supported bodies are kept in position.",
     run_range},
    {"shells-time", ENGLISH_2013, "Figures 16 and 17",
     "Time of a step by number of bodies",
     "A step of 1/24 s takes 1.7 s for 102 boats, and 20.9 s for 1,002.",
     run_shells},
    {NULL, PAPERS, NULL, NULL, NULL, NULL},
};

typedef struct job {
    const experiment *what;
    pid_t process;
} job;


/* ---- Processes ----------------------------------------------------------- */

/* Runs one experiment in this process.  Its words for people go to
 * DIRECTORY/NAME.log. */
static bool run_alone(const experiment *it, const paper_options *options)
{
    char path[1024];
    page to;
    bool is_done;

    snprintf(path, sizeof path, "%s/%s.log", options->directory, it->name);
    if (!freopen(path, "w", stdout)) {
        fprintf(stderr, "vsp: cannot write '%s'\n", path);
        return false;
    }
    if (!page_begin(&to, options->directory, it->name, options->is_quick))
        return false;
    to.peers = options->peers;
    is_done = it->run(&to);
    is_done = page_end(&to) && is_done;
    return fflush(stdout) == 0 && is_done;
}

static bool start_job(job *to, const experiment *what,
                      const paper_options *options)
{
    fflush(stdout);
    to->what = what;
    to->process = fork();
    if (to->process == 0)
        _exit(run_alone(what, options) ? 0 : 2);
    if (to->process < 0)
        fprintf(stderr, "vsp: cannot start a process\n");
    return to->process > 0;
}

static void copy_file(FILE *out, const char *directory, const char *name,
                      const char *ending)
{
    char line[MAX_LINE];
    FILE *in;

    snprintf(line, sizeof line, "%s/%s%s", directory, name, ending);
    in = fopen(line, "r");
    while (in && fgets(line, sizeof line, in))
        fputs(line, out);
    if (in)
        fclose(in);
}

/* Waits until one of the jobs ends, and prints what it said.  Returns whether
 * it succeeded. */
static bool end_job(job *jobs, const char *directory, int done, int count,
                    time_t since)
{
    int status = 0;
    pid_t process = wait(&status);
    bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;

    for (int i = 0; i < AT_ONCE; i++) {
        if (jobs[i].process != process)
            continue;
        printf("[%d/%d] %s: %s, %s; %.0f s\n", done, count, jobs[i].what->name,
               jobs[i].what->figures, is_done ? "done" : "FAILED",
               difftime(time(NULL), since));
        copy_file(stdout, directory, jobs[i].what->name, ".log");
        fflush(stdout);
        jobs[i].process = 0;
    }
    return is_done;
}

static job *free_job(job *jobs)
{
    for (int i = 0; i < AT_ONCE; i++)
        if (jobs[i].process == 0)
            return &jobs[i];
    return NULL;
}

/* The last experiments take longest, so they start first. */
static bool run_all(const experiment **chosen, int count,
                    const paper_options *options)
{
    job jobs[AT_ONCE] = {{NULL, 0}};
    time_t since = time(NULL);
    bool is_done = true;
    int started = 0, ended = 0;

    while (ended < count) {
        job *next = started < count ? free_job(jobs) : NULL;

        if (next) {
            started++;
            if (!start_job(next, chosen[count - started], options))
                return false;
            continue;
        }
        ended++;
        is_done = end_job(jobs, options->directory, ended, count, since) &&
                  is_done;
    }
    return is_done;
}


/* ---- The report ---------------------------------------------------------- */

static const char *const papers[PAPERS] = {
    [ERLEBEN_2007] = "Erleben, Velocity-based shock propagation for multibody "
                     "dynamics animation, 2007",
    [SILCOWITZ_2010] = "Silcowitz, Niebe, Erleben, Projected Gauss-Seidel "
                       "subspace minimization method for interactive rigid "
                       "body dynamics, 2010",
    [MUELLER_2017] = "M&uuml;ller, Chentanez, Macklin, Jeschke, Long range "
                     "constraints for rigid body simulations, 2017",
    [ENGLISH_2013] = "English, Lentine, Fedkiw, Interpenetration free "
                     "simulation of thin shell rigid bodies, 2013",
};

static const char report_head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>VSP: figures of the papers</title>\n"
    "<style>\n"
    "body { font: 16px/1.5 sans-serif; max-width: 70em; margin: auto;"
    " padding: 1em; color: #222 }\n"
    "section { border-top: 1px solid #ccc; margin-top: 1.5em }\n"
    "h3 { margin: .8em 0 0 } p { margin: .4em 0 }\n"
    ".figures { display: flex; flex-wrap: wrap; gap: .5em }\n"
    "figure { margin: 0; max-width: 100% }\n"
    "section > figure { display: inline-block }\n"
    "img, svg { max-width: 100%; height: auto }\n"
    ".wide { overflow-x: auto }\n"
    "table { border-collapse: collapse; font-size: 14px }\n"
    "td, th { text-align: right; padding: 0 .6em; border-bottom: 1px solid"
    " #ddd }\n"
    "td { white-space: nowrap }\n"
    "td:first-child, th:first-child { text-align: left }\n"
    ".files, figcaption { color: #666; font-size: 14px }\n"
    ".holds { border-left: .4em solid #2e7d32; padding-left: .5em }\n"
    ".fails { border-left: .4em solid #b03a1a; padding-left: .5em }\n"
    "code { overflow-wrap: anywhere }\n"
    "</style>\n"
    "<h1>Figures of the papers, repeated with VSP</h1>\n";

/* Counts the lines of a file of claims that end so. */
static int count_verdicts(const char *directory, const char *name,
                          const char *verdict)
{
    char line[MAX_LINE], ending[64];
    int count = 0;
    FILE *in;

    snprintf(line, sizeof line, "%s/%s.claims", directory, name);
    snprintf(ending, sizeof ending, ",%s\n", verdict);
    in = fopen(line, "r");
    while (in && fgets(line, sizeof line, in)) {
        size_t size = strlen(line), end = strlen(ending);

        if (size >= end && strcmp(line + size - end, ending) == 0)
            count++;
    }
    if (in)
        fclose(in);
    return count;
}

static void write_contents(FILE *out, const experiment **chosen, int count,
                           const char *directory)
{
    fprintf(out,
            "<p>Each section has the claims of the paper, or ours against "
            "it, with a verdict that is computed; all are in claims.csv. "
            "Where the paper has a number, the bound is the paper's. "
            "Where it has only words, we chose the bound, and a claim "
            "whose words are none or begin with ours is our own.</p>\n<ul>\n");
    for (int i = 0; i < count; i++) {
        const experiment *it = chosen[i];
        int held = count_verdicts(directory, it->name, "holds");
        int open = count_verdicts(directory, it->name, "does not hold");

        fprintf(out, "<li><a href=\"#%s\">%s</a>: %s (%d of %d hold)</li>\n",
                it->name, it->figures, it->title, held, held + open);
    }
    fprintf(out, "</ul>\n");
}

static void write_experiment(FILE *out, const experiment *it,
                             const char *directory, bool is_quick)
{
    fprintf(out,
            "<section id=\"%s\">\n<h3>%s: %s</h3>\n"
            "<p>The paper: %s</p>\n"
            "<p><code>build/vsp paper %s%s</code></p>\n",
            it->name, it->figures, it->title, it->says, it->name,
            is_quick ? " --quick" : "");
    copy_file(out, directory, it->name, ".part");
    fprintf(out, "</section>\n");
}

static bool write_report(const experiment **chosen, int count,
                         const char *directory, bool is_quick)
{
    FILE *out = plot_open(directory, "index.html");

    if (!out)
        return false;
    fputs(report_head, out);
    write_contents(out, chosen, count, directory);
    for (int i = 0; i < count; i++) {
        if (i == 0 || chosen[i]->source != chosen[i - 1]->source)
            fprintf(out, "<h2>%s</h2>\n", papers[chosen[i]->source]);
        write_experiment(out, chosen[i], directory, is_quick);
    }
    fprintf(out, "</html>\n");
    return plot_close(out, directory, "index.html");
}

/* Writes the claims of all experiments into one file. */
static bool write_claims(const experiment **chosen, int count,
                         const char *directory)
{
    FILE *out = plot_open(directory, "claims.csv");

    if (!out)
        return false;
    fprintf(out, "experiment,claim,paper,ours,relation,bound,source,verdict\n");
    for (int i = 0; i < count; i++)
        copy_file(out, directory, chosen[i]->name, ".claims");
    return plot_close(out, directory, "claims.csv");
}

static void remove_parts(const experiment *it, const char *directory)
{
    static const char *const endings[] = {".part", ".claims", ".log"};
    char path[1024];

    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s%s", directory, it->name, endings[i]);
        (void)remove(path);
    }
}

void paper_list(void)
{
    for (const experiment *it = experiments; it->name; it++)
        fprintf(stderr, "  %-20s %s: %s\n", it->name, it->figures, it->title);
}

/* Whether a name is these words, or begins with them up to a dash. */
static bool is_chosen(const char *name, const char *words)
{
    size_t size = strlen(words);

    return strncmp(name, words, size) == 0 &&
           (name[size] == '\0' || name[size] == '-');
}

int paper_run(const char *words, const paper_options *options)
{
    const char *directory = options->directory;
    const experiment *chosen[MAX_EXPERIMENTS];
    bool is_all = strcmp(words, "all") == 0;
    int count = 0;

    for (const experiment *it = experiments; it->name; it++)
        if (is_all || is_chosen(it->name, words))
            chosen[count++] = it;
    if (count == 0)
        return 1;
    if ((options->peers && !peers_are_there(options->peers)) ||
        !plot_begin(directory, "index.html") ||
        !run_all(chosen, count, options) ||
        !write_claims(chosen, count, directory) ||
        !write_report(chosen, count, directory, options->is_quick))
        return 2;
    for (int i = 0; i < count; i++)
        remove_parts(chosen[i], directory);
    return 0;
}
