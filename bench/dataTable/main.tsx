import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { dictionary } from '#kernel/contract/dictionary.ts';
import '#kernel/web/theme/base.css';
import '#kernel/web/theme/kit.css';
import { queryClient } from '#kernel/web/http/queryClient.ts';
import type { Column, RowAction } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Selection } from '#kernel/web/kit/selection.ts';
import { providePorts } from '#kernel/web/session/gateway.ts';
import { ThemeRoot } from '#kernel/web/theme/ThemeRoot.tsx';

// A table as the pages use it: 30 columns of all kinds, tick boxes, actions.
const never = () => new Promise<never>(() => {});
providePorts({
  session: { queryLoginInfo: never, cancelUser: never, switchRole: never, queryDivisions: never },
  preferences: { read: async () => null, write: async () => {} },
});

type Row = Record<string, string | number>;
const states = dictionary('states', { OPEN: { label: '处理中', tone: 'processing' }, DONE: { label: '已完成', tone: 'success' } });
const COLUMNS = 30;

const columns: readonly Column<Row>[] = Array.from({ length: COLUMNS }, (_, index): Column<Row> => {
  const base = { key: `c${index}`, title: `第${index + 1}列`, width: 130 };
  if (index % 6 === 1) return { ...base, kind: 'money' };
  if (index % 6 === 2) return { ...base, kind: 'dict', dictionary: states };
  if (index % 6 === 3) return { ...base, kind: 'time', width: 168 };
  if (index % 6 === 4) return { ...base, kind: 'link', to: () => ({ path: '/detail', search: { id: 1 } }) };
  return base;
});
const actions: readonly RowAction<Row>[] = ['编辑', '分配', '停用', '日志', '复制'].map((label) => ({ label, act: () => {} }));

const cell = (row: number, column: number): string | number => {
  if (column % 6 === 1) return row * 1000 + column;
  if (column % 6 === 2) return row % 3 ? 'OPEN' : 'DONE';
  if (column % 6 === 3) return '2026-11-20T02:03:04.000Z';
  return `第${row}行第${column}列的一段较长的文字，需要截断显示`;
};
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, row) => ({
    id: String(row),
    ...Object.fromEntries(columns.map((column, index) => [column.key, cell(row, index)])),
  }));

const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
const place = document.getElementById('root')!;
let root = createRoot(place);

/** Milliseconds from the first render to the painted table. */
async function mount(count: number): Promise<number> {
  root.unmount();
  await painted();
  const rows = rowsOf(count);
  const selection = new Selection<Row>();
  root = createRoot(place);
  const began = performance.now();
  root.render(
    <QueryClientProvider client={queryClient}>
      <ThemeRoot>
        <div style={{ display: 'flex', flexDirection: 'column', height: 760 }}>
          <DataTable<Row> columns={columns} rows={rows} rowKey="id" selection={selection} actions={actions} settingKey="bench" />
        </div>
      </ThemeRoot>
    </QueryClientProvider>,
  );
  while (!place.querySelector('.kq-actions')) await painted();
  return performance.now() - began;
}

/** Milliseconds from the click on a row's tick box to the painted change. */
async function tick(): Promise<number> {
  const box = place.querySelectorAll<HTMLInputElement>('input.kq-check')[3]!;
  const began = performance.now();
  box.click();
  await painted();
  return performance.now() - began;
}

/** Frames per second while the rows fly past for two seconds. */
async function scroll(): Promise<number> {
  const body = place.querySelector<HTMLElement>('.kq-grid')!;
  const began = performance.now();
  let frames = 0;
  while (performance.now() - began < 2000) {
    body.scrollTop += 120;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    frames += 1;
  }
  return frames / ((performance.now() - began) / 1000);
}

Object.assign(window, { bench: { mount, tick, scroll } });
