// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Vectors, matrices (columns first, as in WebGL), and a camera that turns about
// a point.

function add(a, b, scale = 1) {
    return [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
}

function dot(a, b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0]];
}

function unit(a) {
    const length = Math.hypot(...a) || 1;
    return [a[0] / length, a[1] / length, a[2] / length];
}

function multiply(a, b) {
    const out = new Float32Array(16);
    for (let column = 0; column < 4; column++)
        for (let row = 0; row < 4; row++)
            for (let k = 0; k < 4; k++)
                out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return out;
}

// The matrix of a view from eye along unit vectors right, up, back.
function viewMatrix(eye, right, up, back) {
    return new Float32Array([
        right[0], up[0], back[0], 0, right[1], up[1], back[1], 0,
        right[2], up[2], back[2], 0,
        -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}

// lower: how far below the middle of the picture the axis is, in half heights.
function perspective(slope, aspect, near, far, lower) {
    return new Float32Array([
        1 / (slope * aspect), 0, 0, 0, 0, 1 / slope, 0, 0,
        0, lower, (far + near) / (near - far), -1,
        0, 0, 2 * far * near / (near - far), 0]);
}

function orthographic(half, depth) {
    return new Float32Array([1 / half, 0, 0, 0, 0, 1 / half, 0, 0,
                             0, 0, -1 / depth, 0, 0, 0, 0, 1]);
}

const VIEW_SLOPE = Math.tan(0.32); // of half the vertical field of view

class Camera {
    constructor() {
        this.azimuth = 0.52; // rad
        this.elevation = 0.24;
        this.distance = 20; // m
        this.target = [0, 1, 0];
        this.size = 10; // m, of the scene
        this.covered = 0; // part of the picture, at its top, under the panel
    }

    axes() {
        const [s, c] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
        const [u, v] = [Math.sin(this.elevation), Math.cos(this.elevation)];
        const back = [s * v, u, c * v];
        const right = [c, 0, -s];
        return { right, up: cross(back, right), back };
    }

    eye() {
        return add(this.target, this.axes().back, this.distance);
    }

    // Shows a box below the panel.
    fit(bounds, aspect, covered) {
        const span = add(bounds.high, bounds.low, -1);
        const middle = add(bounds.low, span, 0.5);
        // a body that flies far away must not make all others tiny
        const size = Math.min(Math.max(Math.hypot(...span), 3), 120);
        this.home = bounds;
        this.target = [middle[0], Math.max(middle[1], 0.3), middle[2]];
        this.size = size;
        this.covered = covered;
        this.narrow = Math.min(1 - covered, aspect);
        this.distance = 0.62 * size / (VIEW_SLOPE * this.narrow);
    }

    // The picture has another shape, and must show as much.
    reshape(aspect) {
        const narrow = Math.min(1 - this.covered, aspect);
        if (this.narrow)
            this.zoom(this.narrow / narrow);
        this.narrow = narrow;
    }

    matrix(aspect) {
        const { right, up, back } = this.axes();
        const near = Math.max(0.02, 0.02 * this.distance);
        return multiply(
            perspective(VIEW_SLOPE, aspect, near, near + 400 + this.distance,
                        this.covered),
            viewMatrix(this.eye(), right, up, back));
    }

    // The unit direction through a point of the picture, -1 to 1 from left to
    // right and from bottom to top.
    ray(x, y, aspect) {
        const { right, up, back } = this.axes();
        return unit(add(add(add([0, 0, 0], back, -1), right,
                            x * VIEW_SLOPE * aspect), up,
                        (y + this.covered) * VIEW_SLOPE));
    }

    // The unit direction to the target.
    ahead() {
        return this.ray(0, -this.covered, 1);
    }

    // Moves so that a point stays in the picture, and comes near its middle
    // slowly.  One in or near the box that was fitted, from a distance, may be
    // anywhere in the picture: what surrounds it shall not leave that.
    follow(point, aspect, seconds, distance) {
        const { low, high } = this.home, near = 0.2 * this.size;
        const isHome = this.distance > 0.9 * distance && point.every(
            (x, i) => x >= low[i] - near && x <= high[i] + near);
        const { right, up, back } = this.axes();
        const half = VIEW_SLOPE * this.distance * (1 - this.covered);
        const way = add(point, this.target, -1);
        const wide = VIEW_SLOPE * this.distance * aspect;
        for (const [axis, size] of [[right, wide], [up, half],
                                    [back, half]]) {
            const off = dot(way, axis), far = Math.abs(off) / size;
            const slow = isHome ? 0 : Math.max(0, far - 0.2) *
                (1 - Math.exp(-4 * seconds));
            const move = Math.max(slow, far - 0.8) * size;
            this.target = add(this.target, axis, Math.sign(off) * move);
        }
    }

    turn(dx, dy) {
        this.azimuth -= dx;
        this.elevation = Math.min(1.5, Math.max(-0.2, this.elevation + dy));
    }

    zoom(factor) {
        this.distance = Math.min(400, Math.max(0.5, this.distance * factor));
    }

    // Moves the target along the picture, in heights of the picture.
    pan(dx, dy) {
        const { right, up } = this.axes();
        const scale = 2 * VIEW_SLOPE * this.distance;
        this.target = add(add(this.target, right, -dx * scale), up,
                          dy * scale);
    }
}
