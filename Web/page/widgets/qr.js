// QR codes (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 20. A link fits into 666 bytes.

import { s } from "../core/dom.js";

// For level M, by version: error correction codewords of a block, and blocks as [count, data codewords] pairs.
const blocks = [
  null,
  [10, [1, 16]],
  [16, [1, 28]],
  [26, [1, 44]],
  [18, [2, 32]],
  [24, [2, 43]],
  [16, [4, 27]],
  [18, [4, 31]],
  [22, [2, 38], [2, 39]],
  [22, [3, 36], [2, 37]],
  [26, [4, 43], [1, 44]],
  [30, [1, 50], [4, 51]],
  [22, [6, 36], [2, 37]],
  [22, [8, 37], [1, 38]],
  [24, [4, 40], [5, 41]],
  [24, [5, 41], [5, 42]],
  [28, [7, 45], [3, 46]],
  [28, [10, 46], [1, 47]],
  [26, [9, 43], [4, 44]],
  [26, [3, 44], [11, 45]],
  [26, [3, 41], [13, 42]],
];
const alignment = [
  null,
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
  [6, 30, 54],
  [6, 32, 58],
  [6, 34, 62],
  [6, 26, 46, 66],
  [6, 26, 48, 70],
  [6, 26, 50, 74],
  [6, 30, 54, 78],
  [6, 30, 56, 82],
  [6, 30, 58, 86],
  [6, 34, 62, 90],
];

// The field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1.
const powers = new Uint8Array(512);
const logarithms = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = powers[exponent + 255] = value;
  logarithms[value] = exponent;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}
const times = (one, other) => (one && other ? powers[logarithms[one] + logarithms[other]] : 0);

/** The remainder of a block's data, divided by the generator polynomial of this degree. */
function correction(data, degree) {
  let generator = [1];
  for (let root = 0; root < degree; root += 1) {
    const next = new Array(generator.length + 1).fill(0);
    generator.forEach((value, index) => {
      next[index] ^= value;
      next[index + 1] ^= times(value, powers[root]);
    });
    generator = next;
  }
  const rest = [...data, ...new Array(degree).fill(0)];
  for (let index = 0; index < data.length; index += 1) {
    const factor = rest[index];
    if (factor)
      generator.forEach((value, place) => {
        rest[index + place] ^= times(value, factor);
      });
  }
  return rest.slice(data.length);
}

const capacity = (version) => blocks[version].slice(1).reduce((sum, [count, size]) => sum + count * size, 0);

/** The codewords of a text, blocks interleaved, and the version that holds them. */
function encode(bytes) {
  let version = 1;
  while (version < blocks.length && 4 + (version < 10 ? 8 : 16) + 8 * bytes.length > 8 * capacity(version))
    version += 1;
  if (version === blocks.length) throw new RangeError("too long for a QR code");
  const bits = [];
  const write = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  write(4, 4);
  write(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) write(byte, 8);
  const total = 8 * capacity(version);
  write(0, Math.min(4, total - bits.length));
  write(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < total; pad ^= 0xec ^ 0x11) write(pad, 8);
  const words = [];
  for (let index = 0; index < bits.length; index += 8)
    words.push(bits.slice(index, index + 8).reduce((value, bit) => value * 2 + bit, 0));
  const [degree, ...groups] = blocks[version];
  const parts = [];
  let from = 0;
  for (const [count, size] of groups) {
    for (let block = 0; block < count; block += 1) {
      parts.push(words.slice(from, from + size));
      from += size;
    }
  }
  const checks = parts.map((part) => correction(part, degree));
  const interleaved = [];
  const longest = Math.max(...parts.map((part) => part.length));
  for (let index = 0; index < longest; index += 1)
    for (const part of parts) if (index < part.length) interleaved.push(part[index]);
  for (let index = 0; index < degree; index += 1) for (const check of checks) interleaved.push(check[index]);
  return { version, words: interleaved };
}

const masks = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Appends the remainder of a BCH code to `value`. */
function withCheck(value, generator, degree) {
  let rest = value << degree;
  for (let bit = 31; bit >= degree; bit -= 1) if ((rest >>> bit) & 1) rest ^= generator << (bit - degree);
  return (value << degree) | rest;
}

/** Finder, timing and alignment patterns, and the places that formats take. `fixed` marks what data may not use. */
function skeleton(version) {
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => new Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array(size).fill(false));
  const set = (row, column, value) => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    grid[row][column] = value;
    fixed[row][column] = true;
  };
  for (const [top, left] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ]) {
    for (let row = -1; row <= 7; row += 1) {
      for (let column = -1; column <= 7; column += 1) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        set(top + row, left + column, ring !== 2 && ring !== 4);
      }
    }
  }
  const places = alignment[version];
  for (const row of places) {
    for (const column of places) {
      if (fixed[row][column]) continue;
      for (let y = -2; y <= 2; y += 1)
        for (let x = -2; x <= 2; x += 1) set(row + y, column + x, Math.max(Math.abs(x), Math.abs(y)) !== 1);
    }
  }
  for (let place = 8; place < size - 8; place += 1) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  for (let place = 0; place < 9; place += 1) {
    for (const [row, column] of [
      [8, place],
      [place, 8],
    ])
      if (!fixed[row][column]) set(row, column, false);
    if (place < 8) {
      set(8, size - 1 - place, false);
      set(size - 1 - place, 8, false);
    }
  }
  set(size - 8, 8, true);
  if (version >= 7) {
    const bits = withCheck(version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit += 1) {
      const value = ((bits >> bit) & 1) === 1;
      set(Math.floor(bit / 3), size - 11 + (bit % 3), value);
      set(size - 11 + (bit % 3), Math.floor(bit / 3), value);
    }
  }
  return { size, grid, fixed };
}

function place({ size, grid, fixed }, words) {
  let bit = 0;
  let upward = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = upward ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row][column]) continue;
        grid[row][column] = bit < words.length * 8 && ((words[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
    }
    upward = !upward;
  }
}

function masked({ size, grid, fixed }, mask) {
  const copy = grid.map((line, row) =>
    line.map((value, column) => (fixed[row][column] ? value : value !== masks[mask](row, column))),
  );
  // Level M is 00 in the format.
  const bits = withCheck(mask, 0x537, 10) ^ 0x5412;
  const on = (bit) => ((bits >> bit) & 1) === 1;
  for (let bit = 0; bit < 15; bit += 1) {
    if (bit < 6) copy[bit][8] = on(bit);
    else if (bit < 8) copy[bit + 1][8] = on(bit);
    else copy[size - 15 + bit][8] = on(bit);
    if (bit < 8) copy[8][size - 1 - bit] = on(bit);
    else copy[8][bit < 9 ? 7 : 14 - bit] = on(bit);
  }
  return copy;
}

/** The standard's penalty of a mask for runs, blocks, shapes like finders, and an uneven share of dark modules. */
function penalty(grid) {
  const size = grid.length;
  let points = 0;
  let dark = 0;
  const finder = [true, false, true, true, true, false, true];
  for (let turn = 0; turn < 2; turn += 1) {
    const at = (row, column) => (turn ? grid[column][row] : grid[row][column]);
    for (let row = 0; row < size; row += 1) {
      let run = 0;
      for (let column = 0; column < size; column += 1) {
        run = column > 0 && at(row, column) === at(row, column - 1) ? run + 1 : 1;
        if (run === 5) points += 3;
        else if (run > 5) points += 1;
        if (column + 7 <= size && finder.every((value, index) => at(row, column + index) === value)) {
          const light = (from, to) => {
            for (let one = from; one < to; one += 1) if (one >= 0 && one < size && at(row, one)) return false;
            return true;
          };
          if (light(column - 4, column) || light(column + 7, column + 11)) points += 40;
        }
      }
    }
  }
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (grid[row][column]) dark += 1;
      if (
        row &&
        column &&
        grid[row][column] === grid[row - 1][column] &&
        grid[row][column] === grid[row][column - 1] &&
        grid[row][column] === grid[row - 1][column - 1]
      )
        points += 3;
    }
  }
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/**
 * The modules of the QR code of a text: rows of `true` for dark. `mask` chooses one, else the best by the standard
 * is taken.
 */
export function qrMatrix(text, mask) {
  const { version, words } = encode(new TextEncoder().encode(text));
  const code = skeleton(version);
  place(code, words);
  if (mask !== undefined) return masked(code, mask);
  let best = null;
  for (let one = 0; one < masks.length; one += 1) {
    const grid = masked(code, one);
    const points = penalty(grid);
    if (!best || points < best.points) best = { grid, points };
  }
  return best.grid;
}

/** The QR code of a text as SVG, with the quiet zone of four modules. */
export function qrCode(text, label) {
  const grid = qrMatrix(text);
  const size = grid.length + 8;
  let path = "";
  grid.forEach((line, row) =>
    line.forEach((dark, column) => {
      if (dark) path += `M${column + 4} ${row + 4}h1v1h-1z`;
    }),
  );
  return s(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    s("rect", { width: size, height: size, fill: "#fff" }),
    s("path", { d: path, fill: "#000" }),
  );
}
