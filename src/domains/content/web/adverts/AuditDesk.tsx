import { Button, Drawer, Radio } from 'antd';
import { useState } from 'react';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { PanelKeys } from '#kernel/web/keyboard/PanelKeys.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { auditAdvertise, queryAdvertiseDetail, queryAdvertiseList, type AdvertRow } from '../../contract/adverts/calls.ts';
import { auditAnswers, auditPoints, type AuditPoint } from '../../contract/adverts/dictionaries.ts';
import { advertErrors } from '../../contract/adverts/errors.ts';
import { needsApproval, rulesOfClass, unanswered, type AuditChecks } from '../../contract/adverts/law.ts';
import { ADVERT_TARGET } from '../../contract/delivery/files.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { AdvertFacts } from './AdvertFacts.tsx';
import '../delivery/delivery.css';

const MOST = 100;

/** 审核: what others handed in, one after another; the picture at full size beside what is to be answered of it. */
export function AuditDesk({ first, onClose }: { first: string | null; onClose(): void }) {
  const { rows, error, refetch } = useList(queryAdvertiseList, { toAudit: true, pageNo: 1, pageSize: MOST }, { quiet: true });
  const [chosen, setChosen] = useState(first);
  const queue = (rows ?? []).map(({ id }) => id);
  const caseId = chosen !== null && queue.includes(chosen) ? chosen : queue[0];
  return (
    <Drawer open size="100%" title="审核广告" onClose={onClose} destroyOnHidden>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : caseId === undefined ? (
        <div className="kq-empty">{rows ? '没有待您审核的广告' : '加载中…'}</div>
      ) : (
        <Case key={caseId} caseId={caseId} queue={queue} onGo={(id) => setChosen(id ?? null)} />
      )}
    </Drawer>
  );
}

function Case({ caseId, queue, onGo }: { caseId: string; queue: readonly string[]; onGo(id: string | undefined): void }) {
  const desk = useAuditDesk({ caseId, queue, call: queryAdvertiseDetail, inputOf: (id) => ({ id }), none: '没有更多待审核的广告', onGo });
  const [paper, setPaper] = useState(false);
  const keys = (
    <PanelKeys
      exclusive={false}
      shortcuts={[
        { keys: 'J', label: '下一个广告', act: desk.panel.onNext },
        { keys: 'K', label: '上一个广告', act: desk.panel.onPrevious },
      ]}
    />
  );
  const { data } = desk;
  if (!data)
    return (
      <>
        {keys}
        {desk.panel.error ? <TableFailure error={desk.panel.error} onRetry={desk.again} /> : <div className="kq-loading" />}
      </>
    );
  const { advert } = data;
  return (
    <>
      {keys}
      <div className="kq-toolbar">
        <h3>
          {advert.adName} <span className="kq-muted">{desk.panel.position}</span>
        </h3>
        <div className="kq-row">
          {data.approvalFile && <Button onClick={() => setPaper(true)}>查看批准文件</Button>}
          <Button onClick={desk.panel.onPrevious}>上一个（K）</Button>
          <Button onClick={desk.panel.onNext}>下一个（J）</Button>
        </div>
      </div>
      <div className="dl-audit">
        <div>
          {data.imageUrl && <img src={data.imageUrl} alt={advert.altText || advert.adName} />}
          <AdvertFacts advert={advert} />
        </div>
        <Verdict advert={advert} onDecided={() => onGo(desk.next)} />
      </div>
      <FilePreview
        files={paper && data.approvalFile ? [data.approvalFile] : null}
        ownerType={ADVERT_TARGET}
        ownerId={caseId}
        onClose={() => setPaper(false)}
      />
    </>
  );
}

/** The answers to a point, in the order in which its key goes through them. */
const answersOf = (point: AuditPoint) =>
  auditAnswers.options.filter(({ value }) => value !== 'NA' || point === 'APPROVAL_SAME').map(({ value, label }) => ({ value, label }));

/** Every point conforms; what has no approval is not compared with one. */
const allConform = (adClass: AdvertRow['adClass']): AuditChecks => ({
  ...Object.fromEntries(auditPoints.codes.map((point) => [point, 'YES'])),
  ...(!needsApproval(adClass) && { APPROVAL_SAME: 'NA' }),
});

function Verdict({ advert, onDecided }: { advert: AdvertRow; onDecided(): void }) {
  const [checks, setChecks] = useState<AuditChecks>({});
  const [opinion, setOpinion] = useState('');
  const command = useCommand(auditAdvertise, {
    success: SERVER_MESSAGE,
    refreshes: [queryAdvertiseList, queryAdvertiseDetail],
    onSuccess: onDecided,
  });
  const decide = (action: 'approve' | 'reject') => {
    const given = opinion.trim();
    if (action === 'approve' && unanswered(checks)) return toastError(advertErrors.UNANSWERED.text);
    if (action === 'reject' && given === '') return toastError('驳回请填写意见');
    void command.run({ id: advert.id, version: advert.version, action, checks, ...(given && { opinion: given }) });
  };
  const answer = (point: AuditPoint) => {
    const answers = answersOf(point);
    const next = answers[answers.findIndex(({ value }) => value === checks[point]) + 1] ?? answers[0]!;
    setChecks({ ...checks, [point]: next.value });
  };
  const conform = () => setChecks(allConform(advert.adClass));
  return (
    <section className="dl-points" aria-label="审核要点">
      <PanelKeys
        shortcuts={[
          ...auditPoints.options.map(({ value, label }, at) => ({ keys: String(at + 1), label, act: () => answer(value) })),
          { keys: '0', label: '全部符合', act: conform },
          { keys: 'A', label: '通过广告', act: () => decide('approve') },
          { keys: 'R', label: '驳回广告', act: () => decide('reject') },
        ]}
      />
      <div className="dl-points-head">
        <h3>审核要点</h3>
        <Button size="small" onClick={conform}>
          全部符合（0）
        </Button>
      </div>
      {auditPoints.options.map(({ value, label }, at) => (
        <div className="dl-point" key={value}>
          <span>
            {at + 1}. {label}
          </span>
          <Radio.Group
            size="small"
            aria-label={label}
            optionType="button"
            value={checks[value]}
            options={answersOf(value)}
            onChange={({ target }) => setChecks({ ...checks, [value]: target.value })}
          />
        </div>
      ))}
      <p className="kq-muted">{rulesOfClass(advert.adClass).join('；')}</p>
      <TextArea
        rows={3}
        most={500}
        aria-label="审核意见"
        placeholder="审核意见（驳回必填）"
        value={opinion}
        onChange={({ target }) => setOpinion(target.value)}
      />
      <div className="kq-toolbar">
        <Button type="primary" disabled={command.busy} onClick={() => decide('approve')}>
          通过（A）
        </Button>
        <Button danger disabled={command.busy} onClick={() => decide('reject')}>
          驳回（R）
        </Button>
      </div>
    </section>
  );
}
