import type { ComponentType } from 'react';
import { wordOf } from '../../contract/words.ts';
import type { DatasetFacts } from '../bridge/messages.ts';
import type { Channel } from './channel.ts';
import type { Renderer, RendererProps } from './sdk.ts';

type Step = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Step => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The steps of an answered detail, newest first; or why there are none. */
function stepsOf(answer: unknown): { steps: readonly Step[]; fault: string } {
  if (!isObject(answer) || answer['status'] !== 0) return { steps: [], fault: isObject(answer) ? wordOf(answer['msg']) : '加载失败' };
  const data = answer['data'];
  const trail = isObject(data) ? data['trail'] : null;
  return { steps: Array.isArray(trail) ? trail.filter(isObject).toReversed() : [], fault: '' };
}

/** `kq-timeline`: who did what with the record around it. */
export function timelineOf(
  { react }: Renderer,
  channel: Channel,
  factsOf: (props: RendererProps, code: unknown) => DatasetFacts | undefined,
): ComponentType<RendererProps> {
  const { createElement: h, useState, useEffect } = react;
  return function Timeline(props: RendererProps) {
    const [state, setState] = useState<ReturnType<typeof stepsOf> | null>(null);
    const code = wordOf(props['dataset']);
    const key = wordOf(props.data[factsOf(props, code)?.keyField ?? 'id']);
    useEffect(() => {
      let gone = false;
      setState(null);
      void channel.ask({ kind: 'call', url: `/ds/${code}/detail`, data: { key } }).then((answer) => {
        if (!gone) setState(stepsOf(answer));
      });
      return () => {
        gone = true;
      };
    }, [code, key]);
    const title = h('h3', { className: 'kq-chart-title' }, wordOf(props['title']) || '审核轨迹');
    const hint = !state ? '加载中…' : state.fault || (state.steps.length === 0 ? '暂无记录' : '');
    if (hint !== '' || !state)
      return h('section', { className: 'kq-timeline', 'aria-busy': !state }, title, h('p', { className: 'kq-hint' }, hint));
    return h(
      'section',
      { className: 'kq-timeline' },
      title,
      h(
        'ol',
        null,
        state.steps.map(({ label, displayName, at, opinion }, index) =>
          h(
            'li',
            { key: index },
            h('p', null, h('b', null, wordOf(label)), h('span', null, wordOf(displayName)), h('time', null, wordOf(at))),
            opinion ? h('p', { className: 'kq-opinion' }, wordOf(opinion)) : null,
          ),
        ),
      ),
    );
  };
}
