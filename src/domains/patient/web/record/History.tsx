import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { delDiagnosis, delRecordText, delTreatment, queryPatientHistory, queryPatientModule } from '../../contract/calls/ehr.ts';
import { paragraphs, recordSources } from '../../contract/dictionaries.ts';
import { modules, type RecordTextRow } from '../../contract/modules.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { DiagnosisCard } from '../rows/DiagnosisCard.tsx';
import { MoreList } from '../shared/MoreList.tsx';
import { Attachments } from '../shared/Attachments.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { Section } from '../shared/Section.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import { Choice } from '../shared/Choice.tsx';
import { useRecord } from './recordScope.ts';

const voidReason = (what: string, facts: readonly Fact[]) =>
  confirmWithOpinion({
    title: `作废${what}`,
    content: `作废后不再显示，历史仍保留。确定要作废该${what}吗?`,
    facts,
    label: '作废原因',
    danger: true,
  });

function Texts({ editable }: { editable: boolean }) {
  const { patientId, show } = useRecord();
  const [paragraph, setParagraph] = useState<string>('');
  const del = useCommand(delRecordText, { success: SERVER_MESSAGE, refreshes: refreshes.modules });
  const input = {
    patientId,
    moduleCode: 'modular001',
    orderBy: modules.modular001.orderBy,
    ...(paragraph && { paragraphCode: paragraph }),
  };
  const list = useMore([queryPatientModule.name, input], (pageNo, signal) =>
    send(queryPatientModule, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  return (
    <Section
      title="病情资料"
      actions={
        editable && (
          <Button
            size="small"
            onClick={() =>
              show({
                kind: 'text',
                ...(paragraphs.codes.find((code) => code === paragraph) && {
                  paragraph: paragraphs.codes.find((code) => code === paragraph)!,
                }),
              })
            }
          >
            新增病情资料
          </Button>
        )
      }
    >
      <div className="pa-toolbar">
        <Choice
          label="段落"
          value={paragraph}
          onChange={setParagraph}
          options={[{ value: '', label: '全部' }, ...paragraphs.options.map(({ value, label }) => ({ value: value as string, label }))]}
        />
      </div>
      <MoreList list={list} empty="没有病情资料">
        {(rows) =>
          rows
            .filter((row): row is RecordTextRow => row.moduleCode === 'modular001')
            .map((row) => (
              <article key={row.id} className="pa-card" data-row tabIndex={0}>
                <div className="pa-card-head">
                  <b>{paragraphs.label(row.paragraphCode)}</b>
                  <span className="kq-muted">
                    <Time at={row.createdAt} />　{recordSources.label(row.source)}
                  </span>
                  {editable && (
                    <span className="pa-card-actions">
                      <button type="button" className="kq-link" onClick={() => show({ kind: 'text', row })}>
                        编辑
                      </button>
                      <button
                        type="button"
                        className="kq-link kq-danger"
                        disabled={del.busy}
                        onClick={async () => {
                          const reason = await voidReason('病情资料', [
                            { label: '段落', value: paragraphs.label(row.paragraphCode) },
                            { label: '内容', value: row.text },
                          ]);
                          if (reason) await del.run({ id: row.id, version: row.version, reason });
                        }}
                      >
                        作废
                      </button>
                    </span>
                  )}
                </div>
                <p className="pa-lines">{row.text}</p>
                <Attachments fileIds={row.fileIds} patientId={row.patientId} />
              </article>
            ))
        }
      </MoreList>
    </Section>
  );
}

/** 诊疗史: diagnoses with their treatments, below them what was told. */
export function History() {
  const { patientId, detail, show } = useRecord();
  const editable = useMay()(rights['record.edit']) && detail.state !== 'CANCELLED';
  const { data, error, loading, refetch } = useData(queryPatientHistory, { patientId }, { quiet: true });
  const delD = useCommand(delDiagnosis, { success: SERVER_MESSAGE, refreshes: refreshes.history });
  const delT = useCommand(delTreatment, { success: SERVER_MESSAGE, refreshes: refreshes.history });
  return (
    <>
      <Section
        title="诊断与治疗"
        actions={
          editable && (
            <Button size="small" type="primary" onClick={() => show({ kind: 'diagnosis' })}>
              新增诊断
            </Button>
          )
        }
      >
        {error ? (
          <TableFailure error={error} onRetry={() => void refetch()} />
        ) : loading || !data ? (
          <Skeleton active paragraph={{ rows: 4 }} />
        ) : data.length === 0 ? (
          <p className="pa-empty">没有诊断{editable && '，点击“新增诊断”录入'}</p>
        ) : null}
        {data?.map((row) => (
          <div key={row.id}>
            <DiagnosisCard
              row={row}
              actions={
                editable && (
                  <>
                    <button type="button" className="kq-link" onClick={() => show({ kind: 'treatment', diagnosis: row })}>
                      新增治疗
                    </button>
                    <button type="button" className="kq-link" onClick={() => show({ kind: 'diagnosis', row })}>
                      编辑
                    </button>
                    <button
                      type="button"
                      className="kq-link kq-danger"
                      disabled={delD.busy}
                      onClick={async () => {
                        const reason = await voidReason('诊断', [{ label: '诊断', value: row.name }]);
                        if (reason) await delD.run({ id: row.id, version: row.version, reason });
                      }}
                    >
                      作废
                    </button>
                  </>
                )
              }
              treatmentActions={(treatment) =>
                editable && (
                  <>
                    <button type="button" className="kq-link" onClick={() => show({ kind: 'treatment', diagnosis: row, row: treatment })}>
                      编辑
                    </button>
                    <button
                      type="button"
                      className="kq-link kq-danger"
                      disabled={delT.busy}
                      onClick={async () => {
                        const reason = await voidReason('治疗', [
                          { label: '方案', value: treatment.regimen },
                          { label: '开始日期', value: treatment.startOn },
                        ]);
                        if (reason) await delT.run({ id: treatment.id, version: treatment.version, reason });
                      }}
                    >
                      作废
                    </button>
                  </>
                )
              }
            />
            <Attachments fileIds={row.fileIds} patientId={row.patientId} />
          </div>
        ))}
      </Section>
      <Texts editable={editable} />
    </>
  );
}
