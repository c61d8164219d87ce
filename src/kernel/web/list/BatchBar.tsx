import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { ask, confirmWithOpinion } from '../feedback/dialogs.tsx';
import { failureText } from '../http/refusal.ts';
import { useChosen } from '../kit/selection.ts';
import type { Selection } from '../kit/selection.ts';
import { useMay } from '../session/store.ts';
import { BatchResult } from './BatchResult.tsx';
import type { Choice } from './BatchChoice.tsx';
import type { RowOutcome } from './BatchResult.tsx';

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
  /** Takes the rows as a whole instead (a dialog of its own). */
  all?(rows: readonly Row[], clear: () => void): void;
}

interface BatchBarProps<Row> {
  selection: Selection<Row>;
  actions: readonly BatchAction<Row>[];
  rowKey: string;
  onDone(): void;
}

/** Count of chosen rows and what can be done with them, with a result row by row. */
export function BatchBar<Row>({ selection, actions, onDone }: BatchBarProps<Row>) {
  const chosen = useChosen(selection);
  const may = useMay();
  const [result, setResult] = useState<{ title: string; outcomes: readonly RowOutcome[]; running: boolean } | null>(null);
  const [choosing, setChoosing] = useState<BatchAction<Row> | null>(null);
  if (chosen.length === 0 && !result) return null;

  const start = async (action: BatchAction<Row>) => {
    if (action.all) {
      action.all(chosen, () => selection.clear());
      return;
    }
    if (action.choice) {
      setChoosing(action);
      return;
    }
    const question = { title: action.label, content: `将对选中的 ${chosen.length} 条记录执行“${action.label}”，是否继续?`, danger: action.danger ?? false };
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
    selection.clear();
    onDone();
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
            choice={choosing.choice}
            onDone={(value) => {
              setChoosing(null);
              if (value !== null) void run(choosing, value);
            }}
          />
        </Suspense>
      )}
      {result && <BatchResult {...result} total={result.running ? chosen.length : result.outcomes.length} onClose={() => setResult(null)} />}
    </div>
  );
}
