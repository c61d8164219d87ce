import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { ask, confirmWithOpinion } from '../feedback/dialogs.tsx';
import { toast } from '../feedback/toast.ts';
import { failureText } from '../http/refusal.ts';
import { useChosen } from '../kit/selection.ts';
import type { Selection } from '../kit/selection.ts';
import type { Fact } from '../kit/fact.ts';
import type { Column } from '../kit/columns.ts';
import { useMay } from '../session/store.ts';
import { batchFacts } from './batchFacts.ts';
import { BatchResult } from './BatchResult.tsx';
import type { Choice } from './BatchChoice.tsx';
import type { RowOutcome } from './rowOutcome.ts';

const BatchChoice = lazy(() => import('./BatchChoice.tsx'));

/** An act on many rows; each row succeeds or is refused by itself. */
export interface BatchAction<Row> {
  label: string;
  permission?: string | { code: string };
  danger?: boolean;
  /** Rows in another state are left out and named in the result. */
  when?(row: Row): boolean;
  /** Asks for an opinion first. */
  opinion?: 'required' | 'optional';
  /** Asks for one value for all rows first, instead of an opinion. */
  choice?: Choice;
  /** What the result calls a row: its number or name. */
  nameOf(row: Row): string;
  /** Sends the call for one row, with `{quiet: true}`; a refusal becomes the row's result. */
  each?(row: Row, opinionOrChoice: string): Promise<unknown>;
  /** Why nothing can be done with just these rows together; null: it can. */
  unfit?(rows: readonly Row[]): string | null;
  /**
   * Works on the rows as a whole instead, after a question of its own over the facts of them.
   * @returns whether they were worked on: then they are no longer ticked.
   */
  all?(rows: readonly Row[], facts: readonly Fact[]): Promise<boolean>;
  /** Asks in a dialog of its own instead; the bar shows it. */
  dialog?(rows: readonly Row[], layer: BatchLayer, facts: readonly Fact[]): ReactNode;
}

/** What a dialog over ticked rows reports to the bar. */
export interface BatchLayer {
  /** The rows were worked on, each with its result: they are no longer ticked, and the list is read again. */
  done(): void;
  /** Whoever opened the dialog closed it. */
  close(): void;
}

interface BatchBarProps<Row> {
  selection: Selection<Row>;
  actions: readonly BatchAction<Row>[];
  rowKey: string;
  /** What the list shows: its amounts are summed in the question. */
  columns: readonly Column<Row>[];
  onDone(): void;
}

/** Count of chosen rows and what can be done with them, with a result row by row. */
export function BatchBar<Row extends object>({ selection, actions, rowKey, columns, onDone }: BatchBarProps<Row>) {
  const chosen = useChosen(selection);
  const may = useMay();
  const [result, setResult] = useState<{ title: string; outcomes: readonly RowOutcome[]; running: boolean } | null>(null);
  const [choosing, setChoosing] = useState<BatchAction<Row> | null>(null);
  const [asked, setAsked] = useState<{ label: string; rows: readonly Row[] } | null>(null);
  const shown = asked && actions.find(({ label }) => label === asked.label);
  if (chosen.length === 0 && !result && !asked) return null;

  // Only these: more may have been ticked meanwhile.
  const letGo = (rows: readonly Row[]) => {
    selection.set(
      rows.map((row) => [String((row as Readonly<Record<string, unknown>>)[rowKey]), row] as const),
      false,
    );
    onDone();
  };

  const start = async (action: BatchAction<Row>) => {
    const unfit = action.unfit?.(chosen) ?? null;
    if (unfit !== null) return toast(unfit, 'warning');
    if (action.dialog) {
      setAsked({ label: action.label, rows: chosen });
      return;
    }
    if (action.all) {
      if (await action.all(chosen, batchFacts(columns, chosen, action))) letGo(chosen);
      return;
    }
    if (action.choice) {
      setChoosing(action);
      return;
    }
    const question = {
      title: action.label,
      content: `将对选中的 ${chosen.length} 条记录执行“${action.label}”，是否继续?`,
      facts: batchFacts(columns, chosen, action),
      danger: action.danger ?? false,
    };
    const opinion = action.opinion ? await confirmWithOpinion({ ...question, opinion: action.opinion }) : (await ask(question)) ? '' : null;
    if (opinion !== null) await run(action, opinion);
  };

  const run = async (action: BatchAction<Row>, opinion: string) => {
    const outcomes: RowOutcome[] = [];
    setResult({ title: action.label, outcomes, running: true });
    for (const row of chosen) {
      const name = action.nameOf(row);
      if (action.when && !action.when(row)) outcomes.push({ name, ok: false, message: '当前状态不能执行，已跳过' });
      else {
        try {
          await action.each?.(row, opinion);
          outcomes.push({ name, ok: true, message: '成功' });
        } catch (error) {
          outcomes.push({ name, ok: false, message: failureText(error) });
        }
      }
      setResult({ title: action.label, outcomes: [...outcomes], running: outcomes.length < chosen.length });
    }
    letGo(chosen);
  };

  return (
    <div className="kq-batch">
      {chosen.length > 0 && (
        <>
          <span>
            已选 <b>{chosen.length}</b> 条
          </span>
          {actions
            .filter((action) => action.permission === undefined || may(action.permission))
            .map((action) => (
              <Button key={action.label} size="small" danger={action.danger ?? false} onClick={() => void start(action)}>
                {action.label}
              </Button>
            ))}
          <Button type="link" size="small" onClick={() => selection.clear()}>
            取消选择
          </Button>
        </>
      )}
      {choosing?.choice && (
        <Suspense fallback={null}>
          <BatchChoice
            title={choosing.label}
            count={chosen.length}
            facts={batchFacts(columns, chosen, choosing)}
            choice={choosing.choice}
            onDone={(value) => {
              setChoosing(null);
              if (value !== null) void run(choosing, value);
            }}
          />
        </Suspense>
      )}
      {asked && shown?.dialog && (
        <Suspense fallback={null}>
          {shown.dialog(asked.rows, { done: () => letGo(asked.rows), close: () => setAsked(null) }, batchFacts(columns, asked.rows, shown))}
        </Suspense>
      )}
      {result && (
        <BatchResult {...result} total={result.running ? chosen.length : result.outcomes.length} onClose={() => setResult(null)} />
      )}
    </div>
  );
}
