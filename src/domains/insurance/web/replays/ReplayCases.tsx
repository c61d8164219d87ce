import { Button, Drawer } from 'antd';
import { useEffect, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import { PanelKeys } from '#kernel/web/keyboard/PanelKeys.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { adjudicationOutcomes, waterfallSteps } from '../../contract/adjudication/result.ts';
import {
  exportReplay,
  judgeReplayCase,
  queryReplayCaseList,
  queryReplayDetail,
  queryReplayList,
  type Replay,
  type ReplaySides,
} from '../../contract/replays/calls.ts';
import { replayVerdicts } from '../../contract/replays/states.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import './replays.css';

type Case = OutputOf<typeof queryReplayCaseList>;
const PAGE = 100;

/** The waterfall of each line before and after, beside one another; what differs is marked. */
function Sides({ sides }: { sides: ReplaySides }) {
  return sides.before.map((before) => {
    const after = sides.after.find(({ lineNo }) => lineNo === before.lineNo);
    return (
      <table key={before.lineNo} className="control-diff">
        <caption>
          第{before.lineNo}行 {before.medicineName}
        </caption>
        <thead>
          <tr>
            <th>步骤</th>
            <th>原：之后</th>
            <th>原：说明</th>
            <th>新：之后</th>
            <th>新：说明</th>
          </tr>
        </thead>
        <tbody>
          {before.steps.map((step, index) => {
            const other = after?.steps[index];
            const changed = other?.after !== step.after || other.cut !== step.cut;
            return (
              <tr key={step.code} data-changed={changed}>
                <th>
                  {step.code} {waterfallSteps.label(step.code)}
                </th>
                <td className="replay-money">{yuan(step.after, true)}</td>
                <td>{step.cut === 0 ? '—' : step.text}</td>
                <td className="replay-money">{other ? yuan(other.after, true) : '—'}</td>
                <td>{!other || other.cut === 0 ? '—' : other.text}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    );
  });
}

interface VerdictProps {
  one: Case;
  judging: boolean;
  onJudge(verdict: 'EXPECTED' | 'UNEXPECTED', note: string): void;
}

function Verdict({ one, judging, onJudge }: VerdictProps) {
  const [note, setNote] = useState(one.note);
  useEffect(() => setNote(one.note), [one.id, one.note]);
  return (
    <div className="control-bar replay-verdict">
      <TextInput
        value={note}
        most={200}
        placeholder="不符合预期时请说明原因"
        onChange={(event) => setNote(event.target.value)}
        style={{ width: 320 }}
      />
      <Button type={one.verdict === 'EXPECTED' ? 'primary' : 'default'} disabled={judging} onClick={() => onJudge('EXPECTED', note)}>
        符合预期 (1)
      </Button>
      <Button
        danger
        type={one.verdict === 'UNEXPECTED' ? 'primary' : 'default'}
        disabled={judging}
        onClick={() => onJudge('UNEXPECTED', note)}
      >
        不符合预期 (2)
      </Button>
      {one.judgedByName && <span className="control-note">{one.judgedByName} 已判断</span>}
    </div>
  );
}

/** Changed cases of a replay: ↑↓ moves, 1 and 2 judge. */
export function ReplayCases({ replay, onClose }: { replay: Replay; onClose(): void }) {
  const [pageNo, setPageNo] = useState(1);
  const [at, setAt] = useState(0);
  const { rows, total } = useList(queryReplayCaseList, { replayId: replay.id, pageNo, pageSize: PAGE });
  const judge = useCommand(judgeReplayCase, { refreshes: [queryReplayCaseList, queryReplayList, queryReplayDetail], blockMs: 200 });
  const one = rows?.[at];
  const done = replay.state === 'DONE';
  const move = (by: number) => setAt((now) => Math.min(Math.max(now + by, 0), (rows?.length ?? 1) - 1));
  const give = async (verdict: 'EXPECTED' | 'UNEXPECTED', note: string) => {
    if (!one || !done) return;
    if (await judge.run({ id: one.id, verdict, note })) move(1);
  };
  const shortcuts = [
    { keys: 'ArrowDown', label: '下一件', act: () => move(1) },
    { keys: 'ArrowUp', label: '上一件', act: () => move(-1) },
    { keys: '1', label: '符合预期', act: () => void give('EXPECTED', one?.note ?? '') },
    { keys: '2', label: '不符合预期', act: () => void give('UNEXPECTED', one?.note ?? '') },
  ];
  return (
    <Drawer
      open
      size={1180}
      title={`变化案件 ${replay.replayNo}（${total}件）`}
      onClose={onClose}
      extra={<Button onClick={() => void saveFile(exportReplay, { replayId: replay.id })}>导出</Button>}
    >
      <PanelKeys shortcuts={shortcuts} />
      <div className="replay-cases">
        <ul className="control-plain replay-list">
          {rows?.map((row, index) => (
            <li key={row.id}>
              <button type="button" className="replay-case" aria-pressed={index === at} onClick={() => setAt(index)}>
                <span>{row.claimNo}</span>
                <span className="replay-money">
                  {row.diffFen > 0 ? '+' : ''}
                  {yuan(row.diffFen, true)}
                </span>
                {row.verdict && <Dict of={replayVerdicts} code={row.verdict} />}
              </button>
            </li>
          ))}
          {total > PAGE && (
            <li className="control-bar">
              <Button size="small" disabled={pageNo === 1} onClick={() => setPageNo(pageNo - 1)}>
                上一页
              </Button>
              <Button size="small" disabled={pageNo * PAGE >= total} onClick={() => setPageNo(pageNo + 1)}>
                下一页
              </Button>
            </li>
          )}
        </ul>
        {one && (
          <div>
            <p className="control-sentence">
              {one.claimNo}：原赔付 ¥{yuan(one.beforeFen, true)}（{adjudicationOutcomes.label(one.outcomeBefore)}），新赔付 ¥
              {yuan(one.afterFen, true)}（{adjudicationOutcomes.label(one.outcomeAfter)}）
            </p>
            {done && <Verdict one={one} judging={judge.busy} onJudge={(verdict, note) => void give(verdict, note)} />}
            <Sides sides={one.sides} />
          </div>
        )}
      </div>
    </Drawer>
  );
}
