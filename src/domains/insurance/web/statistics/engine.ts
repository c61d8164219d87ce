import {
  BarController,
  BarElement,
  CategoryScale,
  Chart as Engine,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import type { ChartSpec } from './spec.ts';

Engine.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--kq-${name}`).trim();

function configOf(
  { labels, series, unit, secondUnit, horizontal = false, stacked = false }: ChartSpec,
  onPick?: (index: number) => void,
): ChartConfiguration {
  const ink = colour('muted');
  const grid = { color: colour('line-soft') };
  const value = { beginAtZero: true, stacked, grid, ticks: { color: ink }, title: { display: unit !== '', text: unit, color: ink } };
  const names = { stacked, grid: { display: false }, ticks: { color: ink, autoSkip: !horizontal } };
  return {
    // Each series says its own kind; this one is the fallback.
    type: 'bar',
    data: {
      labels: [...labels],
      datasets: series.map(({ label, values, tone, kind = 'bar', second = false, dashed = false }) => ({
        type: kind,
        label,
        data: values.map((one) => (Array.isArray(one) ? [one[0] ?? 0, one[1] ?? 0] : one)) as number[],
        backgroundColor: Array.isArray(tone) ? tone.map(colour) : colour(tone as string),
        borderColor: Array.isArray(tone) ? tone.map(colour) : colour(tone as string),
        borderWidth: kind === 'line' ? 2 : 0,
        pointRadius: dashed ? 0 : 3,
        // The legend shows the points of a line, the dashes of one without points, and the bar as a square.
        pointStyle: kind === 'line' ? (dashed ? 'line' : 'circle') : 'rect',
        ...(dashed && { borderDash: [6, 4] }),
        ...(horizontal ? {} : { yAxisID: second ? 'second' : 'y' }),
        maxBarThickness: 36,
        spanGaps: false,
      })),
    },
    options: {
      indexAxis: horizontal ? 'y' : 'x',
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'index', intersect: false, axis: horizontal ? 'y' : 'x' },
      plugins: {
        legend: { display: series.length > 1, labels: { color: ink, boxHeight: 6, usePointStyle: true, pointStyleWidth: 10 } },
      },
      scales: horizontal
        ? { x: value, y: names }
        : {
            x: names,
            y: value,
            ...(secondUnit !== undefined && {
              second: {
                beginAtZero: true,
                position: 'right' as const,
                grid: { display: false },
                ticks: { color: ink },
                title: { display: true, text: secondUnit, color: ink },
              },
            }),
          },
      ...(onPick && {
        onClick: (_event: unknown, elements: readonly { index: number }[]) => {
          const [first] = elements;
          if (first) onPick(first.index);
        },
      }),
    },
  };
}

/** Draws a specification. @returns what takes it off again. */
export function draw(canvas: HTMLCanvasElement, spec: ChartSpec, onPick?: (index: number) => void): () => void {
  const drawn = new Engine(canvas, configOf(spec, onPick));
  return () => drawn.destroy();
}
