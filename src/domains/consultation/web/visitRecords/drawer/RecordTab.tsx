import { Alert, Button } from 'antd';
import { useState } from 'react';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { revealVisitField, type VisitDetail, type VisitRecord } from '../../../contract/calls/visits.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { visitRecordMachine } from '../../../contract/states.ts';
import { RecordForm } from './RecordForm.tsx';
import '../visits.css';

interface FieldDifference {
  label: string;
  before: string;
  after: string;
}

const diagnosisText = (record: VisitRecord) =>
  record.diagnoses.map(({ icd10, name, main }) => `${main ? '【主要】' : ''}${name}${icd10 ? `（${icd10}）` : ''}`).join('；');

/** Parts of a record with their labels, as they are shown and compared. */
const shownParts = (record: VisitRecord): readonly (readonly [label: string, text: string])[] => [
  ['主诉', record.chiefComplaint],
  ['现病史', record.presentIllness],
  ['既往史', record.pastHistory],
  ['过敏史', record.allergy],
  ['初步诊断', diagnosisText(record)],
  ['处理意见', record.advice],
  ['复诊日期', record.revisitOn ?? ''],
  ['关联用药建议', record.suggestionIds.length === 0 ? '' : `${record.suggestionIds.length}条`],
  ['关联检查', record.inspectionIds.length === 0 ? '' : `${record.inspectionIds.length}份`],
];

/** What a later version says otherwise than an earlier one. */
function differencesBetween(earlier: VisitRecord, later: VisitRecord): FieldDifference[] {
  const before = shownParts(earlier);
  return shownParts(later).flatMap(([label, after], index) => {
    const [, old = ''] = before[index] ?? [];
    return old === after ? [] : [{ label, before: old, after }];
  });
}

function Reading({ record }: { record: VisitRecord }) {
  return (
    <>
      <Facts
        facts={[
          { label: '就诊编号', value: record.visitNo },
          { label: '就诊时间', value: <Time at={record.visitTime} /> },
          {
            label: '医生确认',
            value: record.confirmedAt ? (
              <>
                {record.confirmedBy} <Time at={record.confirmedAt} />
              </>
            ) : null,
          },
          ...(record.archivedAt ? [{ label: '归档时间', value: <Time at={record.archivedAt} /> }] : []),
          ...(record.sha256
            ? [
                {
                  label: '文件校验码',
                  value: (
                    <span className="kq-number" style={{ wordBreak: 'break-all' }}>
                      {record.sha256}
                    </span>
                  ),
                  wide: true,
                },
              ]
            : []),
          ...(record.correctReason ? [{ label: '更正原因', value: record.correctReason, wide: true }] : []),
        ]}
      />
      {shownParts(record).map(([label, text]) => (
        <Section key={label} title={label}>
          <p className="kq-visit-text">{text || NOTHING}</p>
        </Section>
      ))}
    </>
  );
}

/** What a version says otherwise than the one that is compared with it. */
function Differences({ earlier, later }: { earlier: VisitRecord; later: VisitRecord }) {
  const rows = differencesBetween(earlier, later);
  if (rows.length === 0) return <p className="kq-muted">与第{later.recordVersion}版内容相同</p>;
  return (
    <div className="kq-visit-diff">
      <p className="kq-muted">
        第{earlier.recordVersion}版 → 第{later.recordVersion}版
      </p>
      {rows.map(({ label, before, after }) => (
        <div key={label} style={{ marginBottom: 8 }}>
          <b>{label}</b>
          <div className="kq-visit-text">
            <del>{before || '（空）'}</del>
          </div>
          <div className="kq-visit-text">
            <ins>{after || '（空）'}</ins>
          </div>
        </div>
      ))}
    </div>
  );
}

/** 就诊小结: the newest version on the left, all versions and their difference on the right. */
export function RecordTab({ detail: { row, records, inquiry, plain }, onDirty }: { detail: VisitDetail; onDirty(dirty: boolean): void }) {
  const [compared, setCompared] = useState<string | null>(null);
  const [texts, setTexts] = useState<ReadonlyMap<string, Partial<VisitRecord>>>(new Map());
  const reveal = useCommand(revealVisitField, { blockMs: 500 });
  const shown = records.map((record) => ({ ...record, ...texts.get(record.id) }));
  const [newest] = shown;
  if (!newest) return <div className="kq-empty">问诊结束后自动生成就诊小结</div>;
  const earlier = shown.find(({ id }) => id === compared);
  const editable = newest.allowedActions.includes('modify');
  const show = async () => {
    const answer = await reveal.run({ serverId: row.serverId });
    if (answer) setTexts(new Map(answer.data.records.map(({ id, ...rest }) => [id, rest])));
  };
  return (
    <div className="kq-visit-record">
      <div>
        {!plain && texts.size === 0 && (
          <Alert
            type="info"
            showIcon
            style={{ marginBottom: 16 }}
            title="您未参与该会话，敏感内容已隐藏"
            action={
              <Can permission={may['inquiry.reveal']}>
                <Button size="small" disabled={reveal.busy} onClick={() => void show()}>
                  查看明文
                </Button>
              </Can>
            }
          />
        )}
        {editable && plain ? (
          <RecordForm
            key={newest.id}
            record={newest}
            serverId={row.serverId}
            groupId={row.groupId ?? ''}
            operatorId={inquiry.suffererOperatorId}
            onDirty={onDirty}
          />
        ) : (
          <Reading record={newest} />
        )}
      </div>
      <div className="kq-visit-versions">
        <b>版本</b>
        {shown.map((record) => (
          <button
            key={record.id}
            type="button"
            className="kq-visit-version"
            aria-pressed={compared === record.id}
            disabled={record.id === newest.id}
            onClick={() => setCompared(compared === record.id ? null : record.id)}
          >
            第{record.recordVersion}版 <Dict of={visitRecordMachine.dictionary} code={record.state} />
            {record.current && <span className="kq-muted"> 当前有效</span>}
            <div className="kq-muted kq-number">{record.visitNo}</div>
            {record.confirmedAt && (
              <div className="kq-muted">
                {record.confirmedBy} <Time at={record.confirmedAt} />
              </div>
            )}
          </button>
        ))}
        {shown.length > 1 && !earlier && <p className="kq-muted">点击较早的版本查看差异</p>}
        {earlier && <Differences earlier={earlier} later={newest} />}
      </div>
    </div>
  );
}
