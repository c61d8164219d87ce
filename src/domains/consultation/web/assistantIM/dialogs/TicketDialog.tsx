import { Alert, Button, Form, Input, Modal, Select } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { addParticipantTicket, queryParticipantTickets, revokeParticipantTicket } from '../../../contract/calls/tickets.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { ticketMachine } from '../../../contract/states.ts';
import { roleOf } from '../../../contract/im/ids.ts';
import { useDeskState } from '../desk/useDesk.ts';
import { Failed } from '../Failed.tsx';
import { closeDialog } from './open.ts';

const Qr = lazy(() => import('./Qr.tsx'));

/** 参与链接: for whom and why; link and code are shown once; those that live can be revoked. */
export function TicketDialog({ group }: { group: GroupRow }) {
  const members = useDeskState((state) => state.chat?.members ?? []);
  const people = members
    .filter(({ userID }) => roleOf(userID) === 'PATIENT' || roleOf(userID) === 'DOCTOR')
    .map(({ userID, nick, memberCustomField }) => ({ value: userID, label: `${nick}（${memberCustomField[0]?.value ?? ''}）` }));
  const list = useData(queryParticipantTickets, { groupId: group.groupId }, { quiet: true });
  const [made, setMade] = useState<{ url: string; expiresAt: string } | null>(null);
  const add = useCommand(addParticipantTicket, { refreshes: [queryParticipantTickets], onSuccess: ({ data }) => setMade(data) });
  const revoke = useCommand(revokeParticipantTicket, { success: '链接已作废', refreshes: [queryParticipantTickets], blockMs: 500 });
  const [form] = Form.useForm<{ imUserId: string; reason: string }>();
  const end = async (id: string, nick: string) => {
    if (
      await ask({
        content: `作废后${nick}的链接立即失效，正在进行的会话会断开，是否继续？`,
        facts: [{ label: '参与人', value: nick }],
        danger: true,
      })
    )
      await revoke.run({ id });
  };
  return (
    <Modal open title="参与链接" width={640} footer={null} onCancel={closeDialog}>
      {made ? (
        <div className="im-ticket">
          <Suspense fallback={<span className="im-qr" />}>
            <Qr value={made.url} />
          </Suspense>
          <div>
            <Alert type="warning" showIcon title="链接仅显示这一次，请立即发送给参与者" />
            <Input.TextArea readOnly autoSize value={made.url} aria-label="参与链接" />
            <p className="kq-muted">
              有效至 <Time at={made.expiresAt} />
              ，打开时须输入预留手机号后四位
            </p>
            <Button size="small" type="primary" onClick={() => void copyText(made.url, '链接已复制')}>
              复制链接
            </Button>{' '}
            <Button size="small" onClick={() => (setMade(null), form.resetFields())}>
              再签发一个
            </Button>
          </div>
        </div>
      ) : (
        <Form
          form={form}
          layout="vertical"
          initialValues={{ imUserId: people[0]?.value }}
          onFinish={(values) => void add.run({ ...values, groupId: group.groupId })}
        >
          <Field of={addParticipantTicket} name="imUserId" label="参与者">
            <Select options={people} />
          </Field>
          <Field of={addParticipantTicket} name="reason" />
          <Button type="primary" htmlType="submit" loading={add.flying} disabled={add.busy}>
            签发链接
          </Button>
        </Form>
      )}
      <h4 className="im-sub">已签发的链接</h4>
      {list.error ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.data?.length === 0 ? (
        <p className="kq-muted">还没有签发过链接</p>
      ) : (
        <table className="im-table">
          <thead>
            <tr>
              <th>参与者</th>
              <th>状态</th>
              <th>有效至</th>
              <th>打开次数</th>
              <th>签发人</th>
              <th>
                <span className="kq-spoken">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.data?.map((ticket) => (
              <tr key={ticket.id}>
                <td>
                  {ticket.nick}
                  {ticket.demo && <i className="im-tag">演示</i>}
                </td>
                <td>
                  <Dict of={ticketMachine.dictionary} code={ticket.state} />
                </td>
                <td>
                  <Time at={ticket.expiresAt} />
                </td>
                <td className="kq-number">{ticket.exchangeCount}</td>
                <td>{ticket.issuedByName ?? '系统'}</td>
                <td>
                  {ticketMachine.canStart('revoke', ticket.state) && (
                    <button type="button" className="kq-link" disabled={revoke.busy} onClick={() => void end(ticket.id, ticket.nick)}>
                      作废
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  );
}
