import { Drawer, Skeleton } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { send } from '#kernel/web/http/client.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { queryDoctorAccountDetail, revealDoctorPayAccount } from '../../contract/calls/accounts.ts';
import type { payeeFields } from '../../contract/dictionaries.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { accountMachine } from '../../contract/states.ts';

/** One doctor: balances by payer, account with its history, entries. */
export function AccountDrawer({ doctorId, onClose }: { doctorId: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryDoctorAccountDetail, { doctorId }, { quiet: true });
  const account = data?.account;
  const secret = (field: (typeof payeeFields)[number], masked: string | null) =>
    account && masked ? (
      <Masked
        value={masked}
        permission={may['account.reveal']}
        reveal={async () => (await send(revealDoctorPayAccount, { id: account.id, field })).value ?? '—'}
      />
    ) : (
      '—'
    );
  return (
    <Drawer open title={account ? `医生账户 ${account.doctorName}` : '医生账户'} size="min(1080px, 94vw)" onClose={onClose}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !account ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(queryDoctorAccountDetail.output.shape.account, account, [
              'doctorNo',
              'hospitalName',
              'unsettledFen',
              'pendingFen',
              'payableFen',
              'heldFen',
              'clawbackFen',
              'verifyStatus',
              'settleState',
            ])}
          />
          {(data.balances.length > 1 || account.frozenBooks !== null) && (
            <Section title="按付款主体">
              <ul>
                {data.balances.map((one) => (
                  <li key={one.payerName}>
                    {one.payerName}：待入账 {yuan(one.pendingFen, true)}，可结算 {yuan(one.payableFen, true)}，预占{' '}
                    {yuan(one.heldFen, true)}，应追回 {yuan(one.clawbackFen, true)} 元
                    {one.frozenReason !== null && <b>，账簿已冻结，暂停付款：{one.frozenReason}</b>}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Section title="收款账户">
            <Facts
              facts={[
                ...factsIn(queryDoctorAccountDetail.output, data, ['realName', 'idType']),
                { label: '证件号码', value: secret('idNo', data.idNoMasked) },
                ...factsIn(queryDoctorAccountDetail.output, data, ['taxResident']),
                { label: '收款银行', value: account.bankName },
                ...factsIn(queryDoctorAccountDetail.output, data, ['branchName', 'cnapsCode']),
                { label: '银行卡号', value: secret('bankAccountNo', account.bankAccountMasked) },
                { label: '手机号', value: secret('mobile', account.mobileMasked) },
                ...factsIn(queryDoctorAccountDetail.output, data, ['verifiedAt', 'verifyMessage', 'freezeReason']),
              ]}
            />
            {data.history.length > 0 && (
              <ul className="kq-muted">
                {data.history.map((one) => (
                  <li key={one.id}>
                    {showInstant(one.changedAt)} {one.changedByName} 修改前：{one.realName} {one.idNoMasked ?? ''} {one.bankName}{' '}
                    {one.bankAccountMasked ?? ''}
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <Section title="流水">
            <Slot
              of={ledgerPanelPlace}
              props={{ book: 'DOCTOR', scope: { ownerType: 'doctor', ownerId: doctorId }, tabs: ['entries', 'holds'] }}
              fallback={<div className="kq-loading" />}
            />
          </Section>
          <Section title="操作轨迹">
            <AuditTimeline rows={data.trail} machine={accountMachine} />
          </Section>
        </>
      )}
    </Drawer>
  );
}
