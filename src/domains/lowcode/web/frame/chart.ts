import type { ComponentType } from 'react';
import { wordOf } from '../../contract/words.ts';
import type { DatasetFacts } from '../bridge/messages.ts';
import type { Channel } from './channel.ts';
import type { Renderer, RendererProps } from './sdk.ts';

type Row = Readonly<Record<string, unknown>>;

interface State {
  rows: readonly Row[] | null;
  fault: string;
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rows of an answer in the renderer's form, or why there are none. */
function rowsOf(answer: unknown): State {
  if (!isObject(answer) || answer['status'] !== 0) return { rows: null, fault: isObject(answer) ? String(answer['msg']) : '加载失败' };
  const data = answer['data'];
  const items = isObject(data) && Array.isArray(data['items']) ? data['items'] : [];
  return { rows: items.filter(isObject), fault: '' };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number(value) || 0);
const TONES = ['kq-tone-1', 'kq-tone-2', 'kq-tone-3'];

/** `kq-chart`: bars of a dataset's statistic, the largest first; every number stands beside its bar. */
export function chartOf(
  { react }: Renderer,
  channel: Channel,
  factsOf: (props: RendererProps, code: unknown) => DatasetFacts | undefined,
): ComponentType<RendererProps> {
  const { createElement: h, useState, useEffect } = react;
  return function Chart(props: RendererProps) {
    const [state, setState] = useState<State>({ rows: null, fault: '' });
    const code = wordOf(props['dataset']);
    const name = wordOf(props['stat']);
    const top = numberOf(props['top']) || 12;
    const stat = factsOf(props, code)?.stats.find((one) => one.name === name);
    useEffect(() => {
      let gone = false;
      void channel.ask({ kind: 'call', url: `/ds/${code}/stat.${name}`, data: {} }).then((answer) => {
        if (!gone) setState(rowsOf(answer));
      });
      return () => {
        gone = true;
      };
    }, [code, name]);
    const wished = Array.isArray(props['measures']) ? props['measures'].map(String) : [];
    const measures = (stat?.measures ?? []).filter(({ key }) => wished.length === 0 || wished.includes(key));
    const dimension = typeof props['dimension'] === 'string' ? props['dimension'] : stat?.dimensions[0]?.key;
    const [first] = measures;
    const title = props['title'] ? h('h3', { className: 'kq-chart-title' }, wordOf(props['title'])) : null;
    if (!stat || !first || dimension === undefined)
      return h('section', { className: 'kq-chart' }, title, h('p', { className: 'kq-hint' }, '没有可显示的统计'));
    if (!state.rows)
      return h(
        'section',
        { className: 'kq-chart', 'aria-busy': state.fault === '' },
        title,
        h('p', { className: 'kq-hint' }, state.fault || '加载中…'),
      );
    const rows = state.rows.toSorted((a, b) => numberOf(b[first.key]) - numberOf(a[first.key])).slice(0, top);
    if (rows.length === 0) return h('section', { className: 'kq-chart' }, title, h('p', { className: 'kq-hint' }, '暂无数据'));
    const most = Math.max(1, ...rows.flatMap((row) => measures.map(({ key }) => numberOf(row[key]))));
    return h(
      'section',
      { className: 'kq-chart' },
      title,
      h(
        'ul',
        { className: 'kq-legend' },
        measures.map(({ key, label }, at) => h('li', { key }, h('i', { className: TONES[at % TONES.length] }), label)),
      ),
      h(
        'ol',
        { className: 'kq-bars' },
        rows.map((row, at) =>
          h(
            'li',
            { key: at },
            h('span', { className: 'kq-bar-name', title: String(row[dimension]) }, String(row[dimension])),
            h(
              'span',
              { className: 'kq-bar-set' },
              measures.map(({ key, label }, index) =>
                h(
                  'span',
                  { key, className: 'kq-bar-line', title: `${label}：${String(row[`${key}Text`] ?? row[key])}` },
                  h('i', { className: TONES[index % TONES.length], style: { width: `${(numberOf(row[key]) / most) * 85}%` } }),
                  h('em', null, String(row[`${key}Text`] ?? row[key])),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  };
}
