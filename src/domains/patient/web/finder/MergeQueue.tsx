import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { auditPatientMerge, exportPatientMergeList, queryPatientMergeList, type MergeRow } from '../../contract/calls/merge.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { mergeMachine } from '../../contract/states.ts';
import { MergeComparison, useMergePreview } from '../forms/person/MergeComparison.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { STEP, useMore } from '../shared/useMore.ts';
import { QueueView, type QueueFilter } from './QueueView.tsx';

type Verdict = 'approve' | 'reject' | 'undo';
const isVerdict = (action: string): action is Verdict => action === 'approve' || action === 'reject' || action === 'undo';
const keysOf: Readonly<Record<Verdict, string>> = { approve: 'A', reject: 'R', undo: 'U' };
const states = mergeMachine.dictionary.options.map(({ value, label }) => ({ value: value as string, label }));

function Case({
  row,
  scope,
  confirmed,
  onConfirm,
  decide,
  busy,
}: {
  row: MergeRow;
  scope: 'MAKE' | 'AUDIT';
  confirmed: boolean;
  onConfirm(yes: boolean): void;
  decide(row: MergeRow, action: Verdict): Promise<void>;
  busy: boolean;
}) {
  const preview = useMergePreview(row.from.patientId, row.into.patientId, scope);
  return (
    <>
      <div className="pa-card">
        <p>
          <span className="kq-number">{row.mergeNo}</span> <Dict of={mergeMachine.dictionary} code={row.state} />
          {'　'}
          <PatientLink patientId={row.from.patientId}>
            {row.from.name} {row.from.patientNo}
          </PatientLink>{' '}
          →{' '}
          <PatientLink patientId={row.into.patientId}>
            {row.into.name} {row.into.patientNo}
          </PatientLink>
        </p>
        <p className="kq-muted">
          {row.suggested ? '系统建议' : (row.maker ?? '—')}　<Time at={row.createdAt} />　{row.reason}
        </p>
        {row.opinion && (
          <p className="kq-muted">
            {row.checker}：{row.opinion}
          </p>
        )}
      </div>
      {row.mine && row.state === 'PENDING' && <p className="pa-note">{patientErrors.MERGE_SAME_PERSON.text}</p>}
      {preview.data?.bothRecent && row.allowedActions.includes('approve') && (
        <p>
          <Checkbox checked={confirmed} onChange={(event) => onConfirm(event.target.checked)}>
            已确认保留 {row.into.patientNo} 的登录账号
          </Checkbox>
        </p>
      )}
      <div className="pa-head-actions pa-section">
        {row.allowedActions.filter(isVerdict).map((action) => (
          <Button
            key={action}
            {...(action === 'approve' && { type: 'primary' as const })}
            danger={action !== 'approve'}
            disabled={busy}
            onClick={() => void decide(row, action)}
          >
            {mergeMachine.transitions[action].label} {keysOf[action]}
          </Button>
        ))}
      </div>
      <MergeComparison preview={preview.data} error={preview.error} onRetry={() => void preview.refetch()} />
    </>
  );
}

/** 待审批合并; decided ones can be looked up and undone. */
export function MergeQueue() {
  const scope = useMay()(rights['merge.audit']) ? ('AUDIT' as const) : ('MAKE' as const);
  const [filter, setFilter] = useState<QueueFilter>({ state: 'PENDING' });
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const state = mergeMachine.dictionary.codes.find((code) => code === filter.state);
  const found = { ...(state && { state: [state] }), ...(filter.keyword && { keyword: filter.keyword }) };
  const input = { scope, ...found };
  const list = useMore([queryPatientMergeList.name, input], (pageNo, signal) =>
    send(queryPatientMergeList, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const command = useCommand(auditPatientMerge, { success: SERVER_MESSAGE, refreshes: refreshes.merges });
  const decide = async (row: MergeRow, action: Verdict) => {
    const { label, opinion: need } = mergeMachine.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}“${row.mergeNo}”吗?`,
      facts: [
        { label: '并入前', value: `${row.from.name} ${row.from.patientNo}` },
        { label: '并入', value: `${row.into.name} ${row.into.patientNo}` },
        ...factsIn(queryPatientMergeList.output, row, ['evidence', 'reason']),
      ],
      opinion: need === 'required' ? 'required' : 'optional',
      danger: action !== 'approve',
    });
    if (opinion === null) return;
    const answer = await command.run({ id: row.id, version: row.version, action, opinion, confirmed: confirmed === row.id });
    if (answer && action === 'undo') toast('两份档案已恢复', 'info');
  };
  return (
    <QueueView<MergeRow>
      list={list}
      exporting={{ call: exportPatientMergeList, filters: found, permission: rights['merge.audit'] }}
      keyOf={(row) => row.id}
      filter={filter}
      onFilter={setFilter}
      states={states}
      keywordHint="合并单号或患者编号"
      line={(row) => (
        <>
          <b>{row.from.name}</b>{' '}
          <span className="kq-muted">
            {row.from.patientNo} → {row.into.patientNo}
          </span>
          <div className="kq-muted">
            {row.mergeNo}　<Time at={row.createdAt} day />
          </div>
        </>
      )}
      shortcuts={(row) =>
        row.allowedActions
          .filter(isVerdict)
          .map((action) => ({ keys: keysOf[action], label: mergeMachine.transitions[action].label, act: () => void decide(row, action) }))
      }
      detail={(row) => (
        <Case
          row={row}
          scope={scope}
          confirmed={confirmed === row.id}
          onConfirm={(yes) => setConfirmed(yes ? row.id : null)}
          decide={decide}
          busy={command.busy}
        />
      )}
    />
  );
}
