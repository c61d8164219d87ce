import { Button, Progress } from 'antd';
import { lazy } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { replayPermissions } from '../../contract/permissions.ts';
import { cancelReplay, queryReplayList, type Replay } from '../../contract/replays/calls.ts';
import { replayStates } from '../../contract/replays/states.ts';
import type { TestOwner } from '../../contract/tests/dictionaries.ts';
import '../controls/controls.css';

const StartReplay = lazy(async () => ({ default: (await import('./StartReplay.tsx')).StartReplay }));
const ReplayCases = lazy(async () => ({ default: (await import('./ReplayCases.tsx')).ReplayCases }));

/** While one runs its progress is asked for again. */
const EVERY_MS = 2_000;
const PERCENT = 100;

function ReplayLine({ replay, onOpen, onCancel }: { replay: Replay; onOpen(): void; onCancel(): void }) {
  const { replayNo, fromDate, toDate, state, total, done, changed, failed, paidBeforeFen, paidAfterFen, counts, unnoted } = replay;
  const diff = paidAfterFen - paidBeforeFen;
  return (
    <li className="control-case">
      <div className="control-line">
        <strong>{replayNo}</strong>
        <Dict of={replayStates.dictionary} code={state} />
      </div>
      <p className="control-note">
        {fromDate} 至 {toDate}，{replay.createdByName ?? '系统'}，<Time at={replay.createdAt} />
      </p>
      {(state === 'RUNNING' || state === 'QUEUED') && <Progress size="small" percent={Math.floor((done / total) * PERCENT)} />}
      <p className="control-sentence">
        案件 {done}/{total}，变化 {changed}
        {failed > 0 && `，失败 ${failed}`}；原赔付 ¥{yuan(paidBeforeFen, true)}，新赔付 ¥{yuan(paidAfterFen, true)}，差额{' '}
        {diff > 0 ? '+' : ''}
        {yuan(diff, true)}元
      </p>
      {state === 'DONE' && (
        <p className="control-note">
          {counts ? '内容未变，可作为发布依据' : '内容已修改，不再作为发布依据'}
          {unnoted > 0 && `；${unnoted}件不符合预期的案件还没有说明`}
        </p>
      )}
      <div className="control-bar">
        {changed > 0 && state !== 'RUNNING' && (
          <Button size="small" onClick={onOpen}>
            变化案件
          </Button>
        )}
        {replay.mayCancel && (
          <Button size="small" danger onClick={onCancel}>
            取消回放
          </Button>
        )}
      </div>
    </li>
  );
}

/** Replays of one version: start, progress, what they changed. */
export function ReplayPanel({ ownerType, ownerId }: { ownerType: TestOwner; ownerId: string }) {
  const layers = useLayers();
  const first = useData(queryReplayList, { ownerType, ownerId }, { quiet: true });
  const running = first.data?.some(({ state }) => state === 'RUNNING' || state === 'QUEUED') ?? false;
  const list = useData(queryReplayList, { ownerType, ownerId }, { quiet: true, every: running ? EVERY_MS : false });
  const cancel = useCommand(cancelReplay, { success: '操作成功!', refreshes: [queryReplayList] });
  return (
    <section className="control-panel">
      <div className="control-line">
        <h3>历史回放</h3>
        <Can permission={replayPermissions['replay.run']}>
          <Button
            size="small"
            disabled={running}
            onClick={() => layers.open((close) => <StartReplay ownerType={ownerType} ownerId={ownerId} onClose={close} />)}
          >
            发起回放
          </Button>
        </Can>
      </div>
      <p className="control-note">用本版本重新理算已结案的理赔，每件各用当时的额度，互不影响。</p>
      {!list.data && <Waiting for={list} />}
      {list.data?.length === 0 && <p className="control-note">还没有回放。</p>}
      <ul className="control-plain">
        {list.data?.map((replay) => (
          <ReplayLine
            key={replay.id}
            replay={replay}
            onOpen={() => layers.open((close) => <ReplayCases replay={replay} onClose={close} />)}
            onCancel={() =>
              void ask({
                title: '取消回放',
                content: `确定要取消${replay.replayNo}吗?`,
                facts: [
                  { label: '区间', value: `${replay.fromDate} 至 ${replay.toDate}` },
                  { label: '已回放', value: `${replay.done} / ${replay.total}` },
                ],
                danger: true,
              }).then((yes) => {
                if (yes) void cancel.run({ id: replay.id, version: replay.version });
              })
            }
          />
        ))}
      </ul>
      {layers.shown}
    </section>
  );
}
