'use strict';

/**
 * The charts of the page: Vega-Lite specifications, drawn by Vega to SVG here, so
 * that the page needs no script. Colours are CSS variables of the page, which
 * has them for light and dark.
 */

const WIDTH = 380;
const ROW = 17; // px per bar that stands alone
const BAR = 7; // px per bar of a group

const INK = 'var(--ink)';
const COLORS = [1, 2, 3, 4, 5, 6].map((n) => `var(--color-${n})`);

const CONFIG = {
  aria: false, // a picture as a whole; the figures are in the table below it
  background: null,
  font: 'system-ui, sans-serif',
  padding: 2,
  view: { stroke: null },
  axis: {
    labelColor: INK, titleColor: INK, domainColor: 'var(--line)', gridColor: 'var(--line)', tickColor: 'var(--line)',
    labelFontSize: 11, titleFontSize: 11, titleFontWeight: 'normal', labelLimit: 240,
  },
  legend: { labelColor: INK, titleColor: INK, labelFontSize: 11, orient: 'top', columns: 3, title: null, symbolType: 'square' },
};

const CONTENDER_AXIS = {
  ticks: false,
  domain: false,
  labelFontWeight: { condition: { test: "indexof(datum.value, 'cpromise') === 0", value: 'bold' }, value: 'normal' },
};

/** What a contender is, for its colour where there is one runtime only. */
const KINDS = ['this library', 'Bluebird', 'native promises', 'no promises', 'other libraries'];

function kindOf(contender) {
  if (contender.startsWith('cpromise')) return KINDS[0];
  if (contender.startsWith('bluebird')) return KINDS[1];
  if (contender.startsWith('native') || contender === 'co') return KINDS[2];
  return ['callbacks', 'async', 'neo-async'].includes(contender) ? KINDS[3] : KINDS[4];
}

/**
 * A chart with a bar, or on a logarithmic scale a point, per contender and runtime.
 *
 * @param {object} chart
 * @param {{contender: string, runtime: string, value: number}[]} chart.rows
 * @param {string[]} chart.order  contenders from top to bottom
 * @param {string} chart.title    of the axis
 * @param {boolean} chart.isLog
 * @returns {object} a Vega-Lite specification
 */
function barsOf({ rows, order, title, isLog }) {
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))];
  const byKind = runtimes.length === 1;
  const values = rows.map((row) => ({ ...row, kind: kindOf(row.contender) }));
  const isBand = !(byKind && isLog); // points that stand alone have no width
  const kinds = KINDS.filter((kind) => values.some((row) => row.kind === kind));
  const color = byKind
    ? { field: 'kind', type: 'nominal', scale: { domain: kinds, range: kinds.map((kind) => COLORS[KINDS.indexOf(kind)]) } }
    : { field: 'runtime', type: 'nominal', scale: { domain: runtimes, range: COLORS } };
  return {
    data: { values },
    width: WIDTH,
    height: byKind ? { step: ROW } : { step: BAR, for: 'offset' },
    mark: isLog ? { type: 'point', filled: true, size: 40, opacity: 1 } : { type: 'bar' },
    encoding: {
      y: { field: 'contender', type: 'nominal', sort: order, title: null, axis: CONTENDER_AXIS, ...(isBand && { scale: { paddingInner: 0.25 } }) },
      ...(byKind ? {} : { yOffset: { field: 'runtime', type: 'nominal', sort: runtimes } }),
      x: { field: 'value', type: 'quantitative', title, scale: isLog ? { type: 'log', nice: true } : { zero: true }, axis: { tickCount: 5 } },
      color,
    },
  };
}

/**
 * The ratios to Bluebird of some contenders in all suites: left of the line is faster.
 *
 * @param {{suite: string, contender: string, value: number}[]} rows
 * @param {string[]} contenders
 * @returns {object} a Vega-Lite specification
 */
function ratiosOf(rows, contenders) {
  const suites = [...new Set(rows.map(({ suite }) => suite))];
  const x = (field) => ({ [field]: 'value', type: 'quantitative', scale: { type: 'log' } });
  return {
    width: 520,
    height: { step: 20 },
    layer: [
      {
        data: { values: [{ value: 1 }] },
        mark: { type: 'rule', color: INK },
        encoding: { x: x('field') },
      },
      {
        data: { values: rows },
        mark: { type: 'point', filled: true, size: 70, opacity: 1 },
        encoding: {
          y: { field: 'suite', type: 'nominal', sort: suites, title: null, axis: { ticks: false, domain: false, grid: true, labelLimit: 420 } },
          x: { ...x('field'), title: 'time as a multiple of that of Bluebird (logarithmic)', axis: { tickCount: 8 } },
          color: { field: 'contender', type: 'nominal', scale: { domain: contenders, range: COLORS } },
          shape: { field: 'contender', type: 'nominal', scale: { domain: contenders } },
        },
      },
    ],
  };
}

/**
 * @param {object} specification  of Vega-Lite
 * @param {string} label          what the picture shows, for those who cannot see it
 * @returns {Promise<string>} an <svg> element
 */
async function draw(specification, label) {
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const { spec } = compile({ ...specification, config: CONFIG });
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error });
  const svg = await view.toSVG();
  view.finalize();
  const id = label.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
  return svg
    .replace(/(\d+\.\d{2})\d+/g, '$1') // hundredths of a pixel
    .replace(/<svg /, `<svg role="img" aria-label="${id}" `);
}

module.exports = { barsOf, draw, ratiosOf };
