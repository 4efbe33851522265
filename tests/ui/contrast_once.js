// Has axe-core's color contrast, half of its work, asked once for each look of a text: contrast follows from its color,
// size and weight and from what lies behind it. Asked each time: what may lie over another box, or is no plain color.
globalThis.contrastOnce = (() => {
    const rule = axe._audit.rules.find(({ id }) => id === "color-contrast");
    const check = axe._audit.checks["color-contrast"];
    const { matches } = rule;
    const { evaluate } = check;
    const passed = new Set(); // looks, on pages before and on this one
    const boxes = new Map(); // behind each element; null where they cannot be told by their styles

    function behind(element) {
        if (!element) return "";
        if (boxes.has(element)) return boxes.get(element);
        const above = behind(element.parentElement ?? element.getRootNode().host);
        const { backgroundColor, opacity } = getComputedStyle(element);
        const paints = backgroundColor === "rgba(0, 0, 0, 0)" ? "" : ` on ${backgroundColor}`;
        const fades = opacity === "1" ? "" : ` at ${opacity}`;
        const box = above === null || !isPlain(element) ? null : above + paints + fades;
        boxes.set(element, box);
        return box;
    }

    function isPlain(element) {
        const { position, inset, backgroundImage, textShadow, filter, transform, mixBlendMode } =
            getComputedStyle(element);
        const flows = position === "static" || (position === "relative" && ["auto", "0px"].includes(inset));
        return (
            flows &&
            mixBlendMode === "normal" &&
            [backgroundImage, textShadow, filter, transform].every((each) => each === "none") &&
            !element.matches("input, select, textarea")
        );
    }

    function lookOf(element) {
        const box = behind(element);
        if (box === null) return null;
        const { color, webkitTextFillColor, fontSize, fontWeight } = getComputedStyle(element);
        return [color, webkitTextFillColor, fontSize, fontWeight].join(" ") + box;
    }

    rule.matches = (element, ...rest) => !passed.has(lookOf(element)) && matches.call(rule, element, ...rest);
    check.evaluate = function (element, ...rest) {
        let measured = false;
        const data = (found) => {
            measured = typeof found?.contrastRatio === "number";
            this.data(found);
        };
        const passes = evaluate.call({ ...this, data }, element, ...rest);
        const look = lookOf(element);
        if (passes === true && measured && look !== null) passed.add(look);
        return passes;
    };
    return {
        /** Begins a run: these looks passed elsewhere. */
        begin(looks) {
            looks.forEach((look) => passed.add(look));
            boxes.clear();
        },
        passed: () => [...passed],
    };
})();
