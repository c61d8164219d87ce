import { Alert, Button, Tabs } from 'antd';
import { lazy, Suspense } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { cardDetails, revealCardHolder, type CardDetails, type revealFields } from '../../contract/calls/cards.ts';
import { freezeReasons } from '../../contract/cardDictionaries.ts';
import { cardKinds, fundingModes } from '../../contract/dictionaries.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { cardMachine } from '../../contract/states.ts';
import { Lots, Times } from './CardLots.tsx';
import './cards.css';
import { useCardActions } from './useCardActions.tsx';

const Statement = lazy(async () => ({ default: (await import('./CardStatement.tsx')).CardStatement }));
const Uses = lazy(async () => ({ default: (await import('./CardUses.tsx')).Uses }));
const Grants = lazy(async () => ({ default: (await import('./CardUses.tsx')).Grants }));
const ChangesOf = lazy(async () => ({ default: (await import('./CardUses.tsx')).ChangesOf }));
const WhyNot = lazy(async () => ({ default: (await import('../use/WhyNot.tsx')).WhyNot }));
const address = { cardId: param.optional() };
type Card = CardDetails['card'];

const lastDay = ({ expireAt }: Pick<Card, 'expireAt'>) => (expireAt === null ? '长期有效' : `有效期至 ${plusDays(dayOf(expireAt), -1)}`);
const LIVE = new Set(['ISSUED', 'ACTIVE']);

function Face({ card }: { card: Card }) {
  const tone = LIVE.has(card.state) ? card.kind.toLowerCase() : 'off';
  return (
    <div className={`card-plastic card-plastic-${tone}`} aria-label="卡面">
      <span>{cardKinds.label(card.kind)}</span>
      <strong>{card.cardTypeName}</strong>
      <b>{card.cardNo}</b>
      <small>{lastDay(card)}</small>
      <small>{card.funderName}</small>
    </div>
  );
}

/** What is on the card, in money or in times. */
function Sums({ card, times }: { card: Card; times: CardDetails['times'] }) {
  const sums =
    card.kind === 'STORED_VALUE'
      ? ([
          ['本金（元）', yuan(card.principal, true)],
          ['赠金（元）', yuan(card.bonus, true)],
          ['预占（元）', yuan(card.held, true)],
          ['可用（元）', yuan(card.available, true)],
          ['已用（元）', yuan(card.spent, true)],
        ] as const)
      : ([
          ['剩余次数', String(card.timesLeft ?? 0)],
          ['预占次数', String(times.reduce((sum, { held }) => sum + held, 0))],
          ['已用次数', String(times.reduce((sum, { used }) => sum + used, 0))],
        ] as const);
  return (
    <div className="card-sums">
      {sums.map(([label, value]) => (
        <div key={label}>
          {label}
          <b>{value}</b>
        </div>
      ))}
    </div>
  );
}

function Overview({ data }: { data: CardDetails }) {
  const { card } = data;
  const reveal = (name: (typeof revealFields)[number]) => async (reason: string) =>
    (await send(revealCardHolder, { cardId: card.id, field: name, reason })).value ?? '';
  const masked = (name: (typeof revealFields)[number], value: string | null) => (
    <Masked value={value} permission={may['card.reveal']} withReason reveal={reveal(name)} />
  );
  const other = (one: Card['replacedBy']) =>
    one && (
      <PageLink to="/cardInformationDetail" search={{ cardId: one.cardId }}>
        {one.cardNo}
      </PageLink>
    );
  return (
    <>
      <div className="card-head">
        <Face card={card} />
        <div>
          <Sums card={card} times={data.times} />
          {card.state === 'FROZEN' && (
            <Alert
              type="warning"
              showIcon
              title={
                `已冻结：${card.frozenReason ? freezeReasons.label(card.frozenReason) : '—'}` +
                (card.frozenBy && card.frozenBy !== 'SYSTEM' ? `，${card.frozenBy}` : '')
              }
              style={{ marginBottom: 12 }}
            />
          )}
          {card.pendingChangeNo && (
            <Alert
              type="info"
              showIcon
              title={
                <>
                  有待审批的变更{' '}
                  <PageLink to="/cardInformation" search={{ tab: 'changes', changeNo: card.pendingChangeNo }}>
                    {card.pendingChangeNo}
                  </PageLink>
                </>
              }
              style={{ marginBottom: 12 }}
            />
          )}
          <Facts
            facts={factsIn(cardDetails.output.shape.card, card, [
              { key: 'cardNo', value: masked('cardNo', card.cardNo) },
              'holderName',
              { label: '证件号', value: masked('idNo', card.holderIdNo) },
              { label: '手机号', value: masked('mobile', card.holderMobile) },
              'policyNo',
              'productCode',
              'funderName',
              { label: '结算方式', value: fundingModes.label(card.fundingMode) },
              {
                key: 'batchNo',
                value: (
                  <PageLink to="/cardBatchManagementDetail" search={{ batchId: card.batchId }}>
                    {card.batchNo}
                  </PageLink>
                ),
              },
              { label: '规则版本', value: card.ruleVersion },
              { label: '发放时间', value: <Time at={card.issuedAt} /> },
              'activatedAt',
              { label: '卡密重置', value: <Time at={card.secretSetAt} /> },
              ...(card.secretLockedUntil ? [{ label: '卡密锁定至', value: <Time at={card.secretLockedUntil} /> }] : []),
              ...(card.replacedBy ? [{ label: '换为新卡', value: other(card.replacedBy) }] : []),
              ...(card.replaces ? [{ label: '换自原卡', value: other(card.replaces) }] : []),
            ])}
          />
        </div>
      </div>
    </>
  );
}

function Content({ cardId }: { cardId: string }) {
  const { data, error, loading, refetch } = useData(cardDetails, { cardId }, { quiet: true });
  const layers = useLayers();
  const actions = useCardActions(layers);
  const has = useMay();
  const card = data?.card;
  usePageTitle(card && `卡 ${card.cardNo}`);
  const isMoney = card?.kind === 'STORED_VALUE';
  return (
    <DetailLayout
      title={card?.cardNo}
      state={card && <Dict of={cardMachine.dictionary} code={card.state} />}
      subtitle={card && `${card.cardTypeName} · ${lastDay(card)}`}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        card && (
          <>
            {actions
              .filter(({ when }) => when?.(card) ?? true)
              .map(({ label, danger, act }) => (
                <Button key={label} danger={danger ?? false} onClick={() => void act(card)}>
                  {label}
                </Button>
              ))}
            <Button onClick={() => layers.open((close) => <Statement cardId={cardId} onClose={close} />)}>对账单</Button>
          </>
        )
      }
    >
      {data && card && (
        <>
          <Overview data={data} />
          <Tabs
            items={[
              ...(isMoney
                ? [
                    { key: 'lots', label: `资金批（${data.lots.length}）`, children: <Lots rows={data.lots} /> },
                    ...(has('ledger.account.view')
                      ? [
                          {
                            key: 'entries',
                            label: '流水',
                            children: (
                              <Slot
                                of={ledgerPanelPlace}
                                props={{
                                  book: 'CARD',
                                  scope: { ownerType: 'cardAccount', ownerId: cardId },
                                  tabs: ['entries', 'lots', 'holds'],
                                }}
                              />
                            ),
                          },
                        ]
                      : []),
                  ]
                : [{ key: 'times', label: '权益次数', children: <Times rows={data.times} entries={data.entries} /> }]),
              {
                key: 'uses',
                label: '预占与核销',
                children: (
                  <Suspense fallback={null}>
                    <Uses holds={data.holds} writeOffs={data.writeOffs} money={isMoney} />
                  </Suspense>
                ),
              },
              ...(has(may['writeoff.edit'])
                ? [
                    {
                      key: 'why',
                      label: '为什么不能用',
                      children: (
                        <Suspense fallback={null}>
                          <WhyNot cardId={cardId} />
                        </Suspense>
                      ),
                    },
                  ]
                : []),
              {
                key: 'grants',
                label: `发放记录（${data.grants.length}）`,
                children: (
                  <Suspense fallback={null}>
                    <Grants rows={data.grants} />
                  </Suspense>
                ),
              },
              {
                key: 'changes',
                label: `变更与冻结（${data.changes.length}）`,
                children: (
                  <Suspense fallback={null}>
                    <ChangesOf rows={data.changes} />
                  </Suspense>
                ),
              },
              { key: 'trail', label: '操作记录', children: <AuditTimeline rows={data.timeline} machine={cardMachine} /> },
            ]}
          />
        </>
      )}
      <Suspense fallback={null}>{layers.shown}</Suspense>
    </DetailLayout>
  );
}

/** /cardInformationDetail 卡信息详情 `?cardId=`. */
export default function CardInformationDetail() {
  const [{ cardId }] = useAddress(address);
  if (!cardId)
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/cardInformation">返回卡信息</PageLink>
      </div>
    );
  return <Content key={cardId} cardId={cardId} />;
}
