import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { auditMaterial, queryMaterialDetail, queryMaterialList, type MaterialRow } from '../../contract/materials/calls.ts';
import { materialType } from '../../contract/materials/dictionaries.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { PhonePreview } from './PhonePreview.tsx';
import { materialRefreshes } from './useMaterialActions.tsx';
import './materials.css';

const PAGE = 20;

/** 待我审核: what others submitted, one after another; A passes it, R sends it back. */
export function AuditQueue() {
  const [pageNo, setPageNo] = useState(1);
  const [chosen, setChosen] = useState<string | null>(null);
  const { rows, total, error, fetching, refetch } = useList(queryMaterialList, { toAudit: true, pageNo, pageSize: PAGE }, { quiet: true });
  const current = rows?.find(({ id }) => id === chosen) ?? rows?.[0];
  if (!rows && error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  return (
    <div className="kq-mat-split">
      <DataTable<MaterialRow>
        rows={rows}
        columns={[
          { key: 'title', title: '素材标题', width: 220, kind: 'link', to: (row) => () => setChosen(row.id) },
          { key: 'materialType', title: '类型', width: 100, kind: 'dict', dictionary: materialType, plain: true },
          { key: 'diseaseNames', title: '适用病种', width: 140, value: (row) => row.diseaseNames.join('、') || '通用' },
          { key: 'updatedByName', title: '提交人', width: 90 },
          { key: 'updatedAt', title: '提交时间', kind: 'time' },
          { key: 'forbiddenHits', title: '谨慎用词', width: 100, value: (row) => row.forbiddenHits.join('、') },
        ]}
        loading={fetching}
        empty="没有待您审核的素材"
        onRowClick={(row) => setChosen(row.id)}
        paging={{ pageNo, pageSize: PAGE, total, onChange: (next) => setPageNo(next) }}
      />
      {current && (
        <Verdict
          key={`${current.id}:${current.version}`}
          row={current}
          queue={(rows ?? []).map(({ id }) => id)}
          onGo={(id) => setChosen(id ?? null)}
        />
      )}
    </div>
  );
}

interface VerdictProps {
  row: MaterialRow;
  queue: readonly string[];
  /** Shows another material; undefined: the first one. */
  onGo(id: string | undefined): void;
}

function Verdict({ row, queue, onGo }: VerdictProps) {
  const [opinion, setOpinion] = useState('');
  const { data, next, panel } = useAuditDesk({
    caseId: row.id,
    queue,
    call: queryMaterialDetail,
    inputOf: (id) => ({ id }),
    none: '本页没有更多待审核的素材',
    onGo,
  });
  const command = useCommand(auditMaterial, { success: SERVER_MESSAGE, refreshes: materialRefreshes, onSuccess: () => onGo(next) });
  const given = opinion.trim();
  const decide = (action: 'approve' | 'reject') => {
    if (given.length < 2 && (action === 'reject' || row.forbiddenHits.length > 0)) {
      toastError(action === 'reject' ? '驳回请填写意见' : '文本包含谨慎使用的词，通过时请填写意见');
      return;
    }
    // Nobody passes what he has not been shown.
    if (action === 'approve' && !data) return;
    void command.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) });
  };
  useKeys([
    { keys: 'A', label: '通过素材', act: () => decide('approve') },
    { keys: 'R', label: '驳回素材', act: () => decide('reject') },
    { keys: 'J', label: '下一个素材', act: panel.onNext },
    { keys: 'K', label: '上一个素材', act: panel.onPrevious },
  ]);
  const draft = data?.draft;
  return (
    <section aria-label="待审核素材">
      <h3>{row.title}</h3>
      {row.forbiddenHits.length > 0 && <Alert type="warning" showIcon title={`谨慎用词：${row.forbiddenHits.join('、')}`} />}
      {!data && <Waiting for={{ error: panel.error, refetch: panel.onRetry }} />}
      {draft && <PhonePreview content={draft.content} facts={draft.facts} pictureUrl={draft.pictureUrl} />}
      <TextArea
        rows={2}
        most={500}
        aria-label="审核意见"
        placeholder="审核意见（驳回必填）"
        value={opinion}
        onChange={(event) => setOpinion(event.target.value)}
      />
      <div className="kq-toolbar">
        <Button type="primary" disabled={command.busy || !data} onClick={() => decide('approve')}>
          通过（A）
        </Button>
        <Button danger disabled={command.busy} onClick={() => decide('reject')}>
          驳回（R）
        </Button>
      </div>
    </section>
  );
}
