import { Button } from 'antd';
import { useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import {
  exportPrivacyRequestList,
  handlePrivacyRequest,
  queryPrivacyRequestList,
  type PrivacyRequestRow,
} from '../../contract/calls/privacy.ts';
import { privacyKinds } from '../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { privacyMachine } from '../../contract/states.ts';
import { Attachments } from '../shared/Attachments.tsx';
import { PersonCard } from '../shared/person.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { STEP, useMore } from '../shared/useMore.ts';
import { QueueView, type QueueFilter } from './QueueView.tsx';

type Act = 'start' | 'finish' | 'refuse';
const isAction = (action: string): action is Act => action === 'start' || action === 'finish' || action === 'refuse';
const keysOf: Readonly<Record<Act, string>> = { start: 'S', finish: 'A', refuse: 'R' };
const OPEN = 'WAITING';
const states = [
  { value: OPEN, label: '未办结' },
  ...privacyMachine.dictionary.options.map(({ value, label }) => ({ value: value as string, label })),
];
const SOON_DAYS = 3;

const due = (row: PrivacyRequestRow) =>
  row.finishedAt ? '' : row.daysLeft < 0 ? `已超期${-row.daysLeft}天` : row.daysLeft === 0 ? '今天到期' : `剩余${row.daysLeft}天`;
const effect: Readonly<Record<string, string>> = {
  COPY: '办结后生成档案副本（PDF和JSON），可在结果文件中下载。',
  DELETE: '办结将注销该患者：姓名、证件、联系方式等个人信息清空，病历依法保存，不可恢复。',
  CORRECT: '请先在档案中完成更正，再办结。',
};

/** 隐私请求 by due day. */
export function PrivacyQueue() {
  const [filter, setFilter] = useState<QueueFilter>({ state: OPEN });
  const chosen = privacyMachine.dictionary.codes.find((code) => code === filter.state);
  const input = {
    state: chosen ? [chosen] : (['OPEN', 'DOING'] as const).map((code) => code),
    ...(filter.keyword && { keyword: filter.keyword }),
    ...(filter.from && { from: filter.from }),
    ...(filter.to && { to: filter.to }),
  };
  const list = useMore([queryPrivacyRequestList.name, input], (pageNo, signal) =>
    send(queryPrivacyRequestList, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const command = useCommand(handlePrivacyRequest, { success: SERVER_MESSAGE, refreshes: refreshes.privacy });
  const run = async (row: PrivacyRequestRow, action: Act) => {
    const { label, opinion: need } = privacyMachine.transitions[action];
    const opinion =
      action === 'start'
        ? ''
        : await confirmWithOpinion({
            title: label,
            content: action === 'finish' ? effect[row.kind] : `确定不予受理 ${row.requestNo} 吗?`,
            facts: [
              ...factsIn(queryPrivacyRequestList.output, row, ['requestNo', 'kind', 'detail', 'dueAt']),
              { label: '患者', value: `${row.patient.name} ${row.patient.patientNo}` },
            ],
            opinion: need === 'required' ? 'required' : 'optional',
            danger: action === 'refuse' || row.kind === 'DELETE',
          });
    if (opinion !== null) await command.run({ id: row.id, version: row.version, action, opinion });
  };
  return (
    <QueueView<PrivacyRequestRow>
      list={list}
      exporting={{ call: exportPrivacyRequestList, filters: input, permission: rights['privacy.handle'] }}
      keyOf={(row) => row.id}
      filter={filter}
      onFilter={setFilter}
      states={states}
      keywordHint="请求编号、患者编号、姓名"
      withDays
      line={(row) => (
        <>
          <b>{privacyKinds.label(row.kind)}</b>{' '}
          <span className="kq-muted">
            {row.patient.name}　{row.requestNo}
          </span>
          <div className={row.daysLeft <= SOON_DAYS && !row.finishedAt ? 'pa-note' : 'kq-muted'}>
            {due(row) || privacyMachine.dictionary.label(row.state)}
          </div>
        </>
      )}
      shortcuts={(row) =>
        row.allowedActions
          .filter(isAction)
          .map((action) => ({ keys: keysOf[action], label: privacyMachine.transitions[action].label, act: () => void run(row, action) }))
      }
      detail={(row) => (
        <>
          <div className="pa-card">
            <PatientLink patientId={row.patient.patientId}>打开档案</PatientLink>
            <PersonCard person={row.patient} />
          </div>
          <div className="pa-card">
            <p>
              <span className="kq-number">{row.requestNo}</span> <Dict of={privacyMachine.dictionary} code={row.state} />
              {'　'}
              {privacyKinds.label(row.kind)}　{due(row)}
            </p>
            <p className="pa-lines">{row.detail}</p>
            <p className="kq-muted">
              {row.createdBy ?? '患者本人'}登记{'　'}
              <Time at={row.createdAt} />
              {'　'}办结期限 {row.dueAt.slice(0, 10)}
              {row.handler && `　处理人 ${row.handler}`}
            </p>
            {row.opinion && <p className="kq-muted">意见：{row.opinion}</p>}
            {row.resultFileId && <Attachments fileIds={[row.resultFileId]} patientId={row.patient.patientId} label="结果文件" />}
          </div>
          {row.allowedActions.includes('finish') && <p className="kq-muted">{effect[row.kind]}</p>}
          <div className="pa-head-actions">
            {row.allowedActions.filter(isAction).map((action) => (
              <Button
                key={action}
                {...(action !== 'refuse' && { type: 'primary' as const })}
                danger={action === 'refuse'}
                disabled={command.busy}
                onClick={() => void run(row, action)}
              >
                {privacyMachine.transitions[action].label} {keysOf[action]}
              </Button>
            ))}
          </div>
        </>
      )}
    />
  );
}
