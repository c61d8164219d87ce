import { Button } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { objectMarksPlace } from '#kernel/web/kit/objectMarksPlace.ts';
import { PATIENT_PARAM } from '#kernel/web/kit/PatientLink.tsx';
import { PopMenu, type PopItem } from '#kernel/web/kit/PopMenu.tsx';
import { layerHref } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { operatePatient, queryPatientDetail } from '../../contract/calls/sufferer.ts';
import { genders } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { patientMachine } from '../../contract/states.ts';
import { ageText, PersonTags } from '../shared/person.tsx';
import { personReads } from '../shared/personReads.ts';
import { useRecord } from './recordScope.ts';
import { Reveal } from './Reveal.tsx';

/** Right of who sees marks where they are kept. */
const MARKS = 'content.content.view';

type Moved = 'freeze' | 'unfreeze' | 'correctDeceased';

/** Who it is, what must be seen first, and what may be done. */
export function Header() {
  const { detail, patientId, show } = useRecord();
  const may = useMay();
  const command = useCommand(operatePatient, { success: SERVER_MESSAGE, refreshes: personReads });
  const can = (action: string) => detail.allowedActions.includes(action);
  const move = async (action: Moved) => {
    const { label, danger } = { danger: false, ...patientMachine.transitions[action] };
    const opinion = await confirmWithOpinion({
      title: label,
      content: action === 'freeze' ? '冻结后患者的登录账号立即退出，且不能登录。' : `确定要${label}吗?`,
      facts: factsIn(queryPatientDetail.output, detail, ['patientNo', 'name', 'mobileMasked', 'idNoMasked']),
      danger,
    });
    if (opinion !== null) await command.run({ patientId, version: detail.version, action, opinion });
  };
  const more: PopItem[] = [
    ...(can('correctDeceased') ? [{ key: 'correct', label: '更正身故登记', act: () => void move('correctDeceased') }] : []),
    ...(may(rights['privacy.handle']) && can('cancel')
      ? [{ key: 'privacy', label: '登记隐私请求', act: () => show({ kind: 'privacy' }) }]
      : []),
    {
      key: 'copy',
      label: '复制档案链接',
      act: () => void copyText(window.location.origin + layerHref(PATIENT_PARAM, patientId), '链接已复制'),
    },
  ];
  const allergy = detail.alerts.filter(({ kind }) => kind === 'ALLERGY');
  return (
    <header className="pa-head">
      {detail.mergedFrom && (
        <div className="pa-merged" role="status">
          档案 {detail.mergedFrom.patientNo} 已合并至本档案
        </div>
      )}
      <div className="pa-head-line">
        <h2>{detail.name}</h2>
        <span>
          {genders.label(String(detail.gender))}　{ageText(detail.age)}
        </span>
        <span className="kq-number kq-muted">{detail.patientNo}</span>
        <span className="pa-tags">
          <PersonTags person={detail} />
        </span>
      </div>
      <div className="pa-head-line">
        <span>
          <span className="kq-muted">手机号 </span>
          <Reveal key={`m${patientId}`} patientId={patientId} field="mobile" masked={detail.mobileMasked} />
        </span>
        <span>
          <span className="kq-muted">证件号 </span>
          <Reveal key={`i${patientId}`} patientId={patientId} field="idNo" masked={detail.idNoMasked} />
        </span>
        {detail.mergedIds.length > 0 && (
          <span className="kq-muted">已并入：{detail.mergedIds.map(({ patientNo }) => patientNo).join('、')}</span>
        )}
      </div>
      {may(MARKS) && (
        <div className="pa-head-line">
          <span className="kq-muted">标签</span>
          <Slot of={objectMarksPlace} props={{ objectType: 'PATIENT', objectId: detail.patientId }} />
        </div>
      )}
      {(detail.diseaseTags.length > 0 || detail.coverLabels.length > 0) && (
        <div className="pa-tags">
          {detail.diseaseTags.map((tag) => (
            <span key={tag.icd10} className={`pa-tag ${tag.isPrimary ? 'pa-tag-main' : ''}`} title={tag.icd10}>
              {tag.name}
            </span>
          ))}
          {detail.coverLabels.map((label) => (
            <span key={label} className="pa-tag">
              {label}
            </span>
          ))}
        </div>
      )}
      {allergy.map(({ text }) => (
        <div key={text} className="pa-strip" role="alert">
          过敏：{text}
        </div>
      ))}
      {detail.alerts
        .filter(({ kind }) => kind !== 'ALLERGY')
        .map(({ kind, text }) => (
          <div key={kind} className="pa-strip pa-strip-soft">
            {text}
          </div>
        ))}
      <div className="pa-head-actions">
        {can('edit') && <Button onClick={() => show({ kind: 'edit' })}>编辑</Button>}
        {detail.realNameActions.includes('verify') && detail.state !== 'CANCELLED' && (
          <Button onClick={() => show({ kind: 'verify' })}>发起核验</Button>
        )}
        {can('markDeceased') && <Button onClick={() => show({ kind: 'deceased' })}>登记身故</Button>}
        {can('freeze') && (
          <Button danger disabled={command.busy} onClick={() => void move('freeze')}>
            冻结
          </Button>
        )}
        {can('unfreeze') && (
          <Button disabled={command.busy} onClick={() => void move('unfreeze')}>
            解冻
          </Button>
        )}
        {may(rights['merge.make']) && detail.state === 'ACTIVE' && <Button onClick={() => show({ kind: 'merge' })}>合并档案</Button>}
        {may(rights['record.export']) && <Button onClick={() => show({ kind: 'export' })}>打印档案</Button>}
        <PopMenu items={more} label="更多操作" className="kq-link">
          更多
        </PopMenu>
      </div>
    </header>
  );
}
