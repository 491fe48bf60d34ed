// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors
//
// Draws vertices (16 bytes: x, y, z, then red, green, blue, sun) with WebGL 2:
// flat triangles in the sun, with a shadow map, a grid on the ground, and lines.

// Whether a processor draws: then pictures are simpler, and the ground is drawn
// once for all pictures of a camera that stands still.
const isSoftware = (() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = info && gl.getParameter(info.UNMASKED_RENDERER_WEBGL);
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name ?? "");
})();

const SHADOW_PIXELS = isSoftware ? 512 : 1024;

const COMMON = `#version 300 es
precision highp float;
`;

const TO_SUN = unit([-0.35, 1.0, 0.62]);
const MOST_SHARE = 2.2; // largest ratio of sun to sky that a vertex holds

// White in the sky's light, and what the sun adds.  draw.c darkens colours of
// sides that see less sky, and stores their ratio of sun to sky.
const LIGHT = `
const vec3 SKY = vec3(0.46, 0.50, 0.57), SUN = vec3(0.92, 0.86, 0.76);
`;

const VERTEX_SHADER = COMMON + LIGHT + `
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 paint;
uniform mat4 view, sun;
invariant gl_Position; // so that shadows are on the ground
out vec3 point, lit, shady, sunny;
out vec4 color;
void main() {
    float slope = ${MOST_SHARE.toFixed(2)} * paint.a;
    gl_Position = view * vec4(place, 1.0);
    point = place;
    color = paint;
    lit = (sun * vec4(place, 1.0)).xyz * 0.5 + 0.5;
    lit.z -= 0.0028 - 0.002 * min(slope, 1.0);
    shady = paint.rgb * sqrt(SKY);
    sunny = paint.rgb * sqrt(SKY + slope * SUN);
}`;

// What the shaders of bodies and of the ground share.
const SHADOWS = COMMON + LIGHT + `
precision highp sampler2DShadow;
in vec3 point, lit, shady, sunny;
uniform sampler2DShadow shadows;
out vec4 pixel;

float sunlight() {
    if (${isSoftware})
        return texture(shadows, lit);
    float sum = 0.0;
    vec2 texel = vec2(1.0 / ${SHADOW_PIXELS}.0);
    sum += texture(shadows, lit + vec3(-0.5 * texel.x, -0.5 * texel.y, 0.0));
    sum += texture(shadows, lit + vec3(0.5 * texel.x, -0.5 * texel.y, 0.0));
    sum += texture(shadows, lit + vec3(-0.5 * texel.x, 0.5 * texel.y, 0.0));
    sum += texture(shadows, lit + vec3(0.5 * texel.x, 0.5 * texel.y, 0.0));
    return 0.25 * sum;
}
`;

const BODY_SHADER = SHADOWS + `
void main() {
    pixel = vec4(mix(shady, sunny, sunlight()), 1.0);
}`;

const GROUND_SHADER = SHADOWS + `
uniform vec3 horizon, ground;
uniform float lineDark, pixelSize, near, far;

// Darkness of lines that are some metres apart, at least a pixel wide.
float grid(float width, float spacing) {
    vec2 off = abs(fract(point.xz / spacing + 0.5) - 0.5) * spacing;
    return clamp(2.0 - 2.0 * min(off.x, off.y) / width, 0.0, 1.0);
}

void main() {
    float depth = 1.0 / gl_FragCoord.w;
    float width = max(depth * pixelSize, 0.01);
    float line = max(0.8 * grid(width, 1.0), grid(width, 5.0)) *
        min(0.03 / width, 1.0);
    vec3 light = mix(sqrt(SKY), sqrt(SKY + ${TO_SUN[1].toFixed(4)} * SUN), sunlight());
    vec3 tint = ground * light * mix(1.0, lineDark, line);
    float haze = clamp((depth - near) / (far - near), 0.0, 1.0);
    pixel = vec4(mix(tint, horizon, haze), 1.0);
}`;

// What shadows put on a ground that is drawn already: its colour, by alpha.
const SHADE_SHADER = SHADOWS + `
uniform vec3 ground;
uniform float near, far;
void main() {
    vec3 sunny = SKY + ${TO_SUN[1].toFixed(4)} * SUN;
    vec3 part = sqrt(SKY / sunny); // red is the smallest
    float haze = clamp((1.0 / gl_FragCoord.w - near) / (far - near), 0.0, 1.0);
    pixel = (1.0 - haze) * (1.0 - sunlight()) *
        vec4((part - part.r) * ground * sqrt(sunny), 1.0 - part.r);
}`;

const LINE_SHADER = COMMON + `
in vec4 color;
out vec4 pixel;
void main() {
    pixel = vec4(color.rgb, 1.0);
}`;

const DEPTH_SHADER = COMMON + `
void main() {
}`;

const SKY_VERTICES = COMMON + `
out vec2 at;
void main() {
    at = vec2(float(gl_VertexID & 1) * 4.0 - 1.0,
              float(gl_VertexID >> 1) * 4.0 - 1.0);
    gl_Position = vec4(at, 1.0, 1.0);
}`;

const SKY_SHADER = COMMON + `
in vec2 at;
uniform vec3 horizon, zenith, right, up, back;
uniform vec2 slope;
uniform float covered;
out vec4 pixel;
void main() {
    vec3 ray = normalize(right * at.x * slope.x +
                         up * (at.y + covered) * slope.y - back);
    pixel = vec4(mix(horizon, zenith, smoothstep(-0.02, 0.6, ray.y)), 1.0);
}`;

const LIGHT_THEME = {
    horizon: [0.90, 0.93, 0.96], zenith: [0.58, 0.72, 0.88],
    ground: [0.82, 0.82, 0.81], lineDark: 0.79,
};
const DARK_THEME = {
    horizon: [0.13, 0.15, 0.18], zenith: [0.05, 0.07, 0.11],
    ground: [0.30, 0.32, 0.35], lineDark: 1.38,
};

// Whether the ground is the plane y = 0.
function isFlat({ triangles, triangleVertices: all, groundVertices: count }) {
    const words = new DataView(triangles.buffer, triangles.byteOffset + 4);
    for (let i = all - count; i < all; i++)
        if (words.getFloat32(16 * i, true) !== 0)
            return false;
    return true;
}

// Returns the part of the picture in which shadows fall on the plane y = 0, -1
// to 1: left, bottom, right, top.
function shadeBounds({ low, high }, view) {
    const out = [1, 1, -1, -1];
    for (let i = 0; i < 8; i++) {
        const at = [0, 1, 2].map((k) => (i >> k & 1 ? high : low)[k]);
        const [x, y, z] = add(at, TO_SUN, -at[1] / TO_SUN[1]);
        const row = (k) => view[k] * x + view[k + 4] * y + view[k + 8] * z +
            view[k + 12];
        if (row(3) <= 0) // behind the eye
            return [-1, -1, 1, 1];
        for (let k = 0; k < 2; k++) {
            const place = Math.max(-1, Math.min(1, row(k) / row(3)));
            out[k] = Math.min(out[k], place);
            out[k + 2] = Math.max(out[k + 2], place);
        }
    }
    return out;
}

class Painter {
    // back: a canvas behind the other
    constructor(canvas, back) {
        this.canvas = canvas;
        this.back = back.getContext("2d");
        const gl = canvas.getContext("webgl2", {
            antialias: !isSoftware, alpha: isSoftware,
        });
        if (!gl)
            throw new Error("this browser has no WebGL 2");
        this.gl = gl;
        this.setUp();
        // a browser may take all of it away, and give it back
        canvas.addEventListener("webglcontextlost", (e) => e.preventDefault());
        canvas.addEventListener("webglcontextrestored", () => this.setUp());
    }

    close() {
        this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    }

    setUp() {
        this.lastKey = this.backKey = "";
        this.body = this.program(VERTEX_SHADER, BODY_SHADER);
        this.ground = this.program(VERTEX_SHADER, GROUND_SHADER);
        this.shade = this.program(VERTEX_SHADER, SHADE_SHADER);
        this.line = this.program(VERTEX_SHADER, LINE_SHADER);
        this.depth = this.program(VERTEX_SHADER, DEPTH_SHADER);
        this.sky = this.program(SKY_VERTICES, SKY_SHADER);
        this.triangles = this.vertices();
        this.lines = this.vertices();
        this.makeShadowMap();
    }

    program(vertex, fragment) {
        const gl = this.gl, it = gl.createProgram();
        for (const [type, source] of [[gl.VERTEX_SHADER, vertex],
                                      [gl.FRAGMENT_SHADER, fragment]]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
                throw new Error(gl.getShaderInfoLog(shader));
            gl.attachShader(it, shader);
        }
        gl.linkProgram(it);
        const uniforms = {};
        const count = gl.getProgramParameter(it, gl.ACTIVE_UNIFORMS);
        for (let i = 0; i < count; i++) {
            const { name } = gl.getActiveUniform(it, i);
            uniforms[name] = gl.getUniformLocation(it, name);
        }
        return { it, uniforms };
    }

    // A buffer of vertices that grows.
    vertices() {
        const gl = this.gl;
        const array = gl.createVertexArray(), buffer = gl.createBuffer();
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 16, 0);
        gl.enableVertexAttribArray(1);
        gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 16, 12);
        return { array, buffer, room: 0 };
    }

    fill(vertices, bytes) {
        const gl = this.gl;
        gl.bindVertexArray(vertices.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, vertices.buffer);
        if (bytes.length > vertices.room) {
            vertices.room = 2 * bytes.length;
            gl.bufferData(gl.ARRAY_BUFFER, vertices.room, gl.STREAM_DRAW);
        }
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, bytes);
    }

    makeShadowMap() {
        const gl = this.gl;
        this.shadows = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, this.shadows);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_PIXELS,
                        SHADOW_PIXELS);
        const filter = isSoftware ? gl.NEAREST : gl.LINEAR;
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
        // beyond the map is sun, as at its edge
        for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
            gl.texParameteri(gl.TEXTURE_2D, axis, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE,
                         gl.COMPARE_REF_TO_TEXTURE);
        this.sunFrame = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.sunFrame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT,
                                gl.TEXTURE_2D, this.shadows, 0);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }

    // Sets the canvas to its size on screen.  detail: 1 is a pixel for each of
    // the screen's.
    resize(detail) {
        const ratio = Math.min(window.devicePixelRatio || 1, 2) * detail;
        const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
        const height = Math.max(1,
                                Math.round(this.canvas.clientHeight * ratio));
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
    }

    aspect() {
        return this.canvas.width / this.canvas.height;
    }

    drawShadows(sun, count) {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.sunFrame);
        gl.viewport(0, 0, SHADOW_PIXELS, SHADOW_PIXELS);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.useProgram(this.depth.it);
        gl.uniformMatrix4fv(this.depth.uniforms.view, false, sun);
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1.5, 2);
        gl.drawArrays(gl.TRIANGLES, 0, count);
        gl.disable(gl.POLYGON_OFFSET_FILL);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }

    drawSky(camera, theme) {
        const gl = this.gl, u = this.sky.uniforms;
        const { right, up, back } = camera.axes();
        gl.useProgram(this.sky.it);
        gl.uniform3fv(u.horizon, theme.horizon);
        gl.uniform3fv(u.zenith, theme.zenith);
        gl.uniform3fv(u.right, right);
        gl.uniform3fv(u.up, up);
        gl.uniform3fv(u.back, back);
        gl.uniform2f(u.slope, VIEW_SLOPE * this.aspect(), VIEW_SLOPE);
        gl.uniform1f(u.covered, camera.covered);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    // The matrix of the sun, high on the left of the camera's first side.
    sunMatrix(camera) {
        const right = unit(cross([0, 1, 0], TO_SUN));
        const up = cross(TO_SUN, right);
        const half = Math.min(1.1 * camera.size, 1.5 * camera.distance);
        return multiply(orthographic(half, 3 * half + 20),
                        viewMatrix(camera.target, right, up, TO_SUN));
    }

    // Draws a frame of `shown`, what World.draw returned.
    draw(shown, camera, theme) {
        const gl = this.gl, view = camera.matrix(this.aspect());
        const sun = this.sunMatrix(camera);
        const bodies = shown.triangleVertices - shown.groundVertices;
        gl.enable(gl.DEPTH_TEST);
        gl.depthFunc(gl.LEQUAL);
        gl.enable(gl.CULL_FACE);
        this.fill(this.triangles, shown.triangles);
        const isBehind = isSoftware && this.hasBack(shown, view, sun, camera,
                                                    theme);
        this.drawShadows(sun, bodies);
        this.clear(...(isBehind ? [0, 0, 0, 0] : [...theme.horizon, 1]));
        gl.enable(gl.POLYGON_OFFSET_FILL); // behind the edges
        gl.polygonOffset(1, 1);
        if (isBehind && shown.low[1] < -0.05)
            this.hideBelow(shown, view);
        this.useLight(this.body, view, sun);
        gl.drawArrays(gl.TRIANGLES, 0, bodies);
        if (isBehind)
            this.drawShade(shown, view, sun, camera, theme);
        else
            this.drawGround(this.ground, shown, view, sun, camera, theme);
        gl.disable(gl.POLYGON_OFFSET_FILL);
        gl.disable(gl.CULL_FACE);
        if (!isSoftware)
            this.drawSky(camera, theme);
        this.drawLines(shown, view);
    }

    clear(...color) {
        const gl = this.gl;
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.clearColor(...color);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    }

    // Returns whether the canvas behind has the ground of this picture: if the
    // camera has not moved since the picture before.
    hasBack(shown, view, sun, camera, theme) {
        const { width, height } = this.canvas;
        const key = [width, height, theme.lineDark, shown.groundVertices,
                     ...view].join();
        const isStill = this.lastKey === key && isFlat(shown);
        this.lastKey = key;
        if (isStill && this.backKey !== key) {
            this.drawShadows(sun, 0);
            this.clear(...theme.horizon, 1);
            this.drawGround(this.ground, shown, view, sun, camera, theme);
            Object.assign(this.back.canvas, { width, height });
            this.back.drawImage(this.canvas, 0, 0);
            this.backKey = key;
        }
        return isStill;
    }

    // Makes the ground, which is behind, hide what is below it.
    hideBelow(shown, view) {
        const gl = this.gl;
        gl.useProgram(this.depth.it);
        gl.uniformMatrix4fv(this.depth.uniforms.view, false, view);
        gl.colorMask(false, false, false, false);
        gl.drawArrays(gl.TRIANGLES, shown.triangleVertices -
                      shown.groundVertices, shown.groundVertices);
        gl.colorMask(true, true, true, true);
    }

    // Draws shadows for a ground that is behind.
    drawShade(shown, view, ...rest) {
        const gl = this.gl, { width, height } = this.canvas;
        const [left, bottom, right, top] = shadeBounds(shown, view);
        const pixel = (at, size) => Math.round((at + 1) / 2 * size);
        const x = pixel(left, width), y = pixel(bottom, height);
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(x, y, Math.max(0, pixel(right, width) - x),
                   Math.max(0, pixel(top, height) - y));
        this.drawGround(this.shade, shown, view, ...rest);
        gl.disable(gl.SCISSOR_TEST);
    }

    useLight(program, view, sun) {
        const gl = this.gl, u = program.uniforms;
        gl.useProgram(program.it);
        gl.bindTexture(gl.TEXTURE_2D, this.shadows);
        gl.uniformMatrix4fv(u.view, false, view);
        gl.uniformMatrix4fv(u.sun, false, sun);
        gl.uniform1i(u.shadows, 0);
        return u;
    }

    drawGround(program, shown, view, sun, camera, theme) {
        const gl = this.gl, u = this.useLight(program, view, sun);
        const { triangleVertices: all, groundVertices: count } = shown;
        const reach = Math.max(camera.size, camera.distance);
        gl.uniform3fv(u.horizon, theme.horizon);
        gl.uniform3fv(u.ground, theme.ground);
        gl.uniform1f(u.lineDark, theme.lineDark);
        gl.uniform1f(u.pixelSize, 4 * VIEW_SLOPE / this.canvas.height);
        gl.uniform1f(u.near, camera.distance + Math.min(0.5 * reach, 20));
        gl.uniform1f(u.far, camera.distance + Math.min(4 * reach, 80));
        gl.drawArrays(gl.TRIANGLES, all - count, count);
    }

    // Marks are shown also where they are inside of bodies.
    drawLines(shown, view) {
        const gl = this.gl, edges = shown.edgeVertices;
        this.fill(this.lines, shown.lines);
        gl.useProgram(this.line.it);
        gl.uniformMatrix4fv(this.line.uniforms.view, false, view);
        gl.drawArrays(gl.LINES, 0, edges);
        gl.disable(gl.DEPTH_TEST);
        gl.drawArrays(gl.LINES, edges, shown.lineVertices - edges);
        gl.enable(gl.DEPTH_TEST);
    }
}
