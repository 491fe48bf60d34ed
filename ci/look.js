/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Inspects the page that it is appended to, once it is loaded, for
 * ci/paper: prints what a reader could not see or read.  The page is in a
 * frame, whose owner prints the lines. */

'use strict';

const LEAST_TEXT = 9; /* pixels: labels of a plot */
const faults = [];
const width = document.documentElement.clientWidth;

addEventListener('error', event => faults.push(`error: ${event.message}`));

/* Returns the heading above an element. */
function sectionOf(element) {
    const section = element.closest('section');

    return section ? section.id : 'the head';
}

/* Returns the size of a plot's text on the screen, in pixels. */
function sizeOf(text) {
    const scale = text.getScreenCTM();

    return parseFloat(getComputedStyle(text).fontSize) *
        Math.hypot(scale.a, scale.b);
}

function findFaults() {
    const figures = document.querySelectorAll('figure');

    for (const figure of figures) {
        const image = figure.querySelector('img, svg');
        const box = (image || figure).getBoundingClientRect();
        const place = `a figure of ${sectionOf(figure)}`;

        if (!image)
            faults.push(`${place} has no picture`);
        if (box.width < 200 || box.height < 60)
            faults.push(`${place} has ${box.width} x ${box.height} pixels`);
    }
    for (const image of document.images)
        if (!image.complete || image.naturalWidth === 0)
            faults.push(`a picture of ${sectionOf(image)} is broken`);
    for (const image of document.querySelectorAll('svg')) {
        const place = `a plot of ${sectionOf(image)}`;
        const least = Math.min(
            ...[...image.querySelectorAll('text')].map(sizeOf));

        if (!image.querySelector('path, circle, rect'))
            faults.push(`${place} is empty`);
        if (!(least >= LEAST_TEXT))
            faults.push(`${place} has labels of ${least} pixels`);
    }
    for (const element of document.querySelectorAll('p, li, td, th, code'))
        if (parseFloat(getComputedStyle(element).fontSize) < 12)
            faults.push(`small text in ${sectionOf(element)}`);
    if (document.documentElement.scrollWidth > width)
        faults.push(`the page is ${document.documentElement.scrollWidth} ` +
            `pixels wide, for ${width}`);
    return figures.length;
}

addEventListener('load', () => {
    const count = findFaults();

    parent.postMessage(
        [`${count} figures at ${width} pixels`,
            ...faults.map(text => `fault: ${text}`)].join('\n'), '*');
});
