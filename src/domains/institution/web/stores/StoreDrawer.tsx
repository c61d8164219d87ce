import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Drawer, Space, Tabs, Tag } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { daysBetween, plusDays } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Masked } from '#kernel/web/kit/Masked.tsx';
import { Dict, Money, NOTHING } from '#kernel/web/kit/values.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { accountOwners, capabilities, licenceStates, licenceTypes, locateSources, storeTags } from '../../contract/dictionaries.ts';
import { queryStoreGoodsList } from '../../contract/licenceCalls.ts';
import { showSpans, spansOf, weekDayOf, weekDays, type WeekHours } from '../../contract/opening.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { changeMachine, storeMachine } from '../../contract/states.ts';
import {
  auditDrugstore,
  changeDrugstoreState,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  revealContact,
  submitDrugstore,
  type StoreDetail,
} from '../../contract/storeCalls.ts';

// The map and the dialogs are fetched when first opened.
const PlaceMap = lazy(async () => ({ default: (await import('../shared/PlaceMap.tsx')).PlaceMap }));
const Papers = lazy(async () => ({ default: (await import('../shared/Papers.tsx')).Papers }));
const HoursDialog = lazy(async () => ({ default: (await import('./HoursDialog.tsx')).HoursDialog }));
const LicenceForm = lazy(async () => ({ default: (await import('./LicenceForm.tsx')).LicenceForm }));

const dayNames = ['', '周一', '周二', '周三', '周四', '周五', '周六', '周日'];
const reveal = (ownerId: string, field: 'MOBILE' | 'ACCOUNT') => async () =>
  (await send(revealContact, { ownerType: 'DRUGSTORE', ownerId, field })).value;

/** Share of the validity that is left, coloured by how soon it ends. */
function Validity({ from, to, today }: { from: string; to: string | null; today: string }) {
  if (to === null) return <span>长期</span>;
  const left = daysBetween(today, to);
  const whole = Math.max(1, daysBetween(from, to));
  const share = Math.max(0, Math.min(100, (left / whole) * 100));
  return (
    <Space>
      <span className="in-bar">
        <i style={{ width: `${share}%`, background: left < 0 ? '#dc2626' : left <= 60 ? '#d97706' : '#16a34a' }} />
      </span>
      <span className={left < 0 ? 'kq-danger' : ''}>{left < 0 ? '已过期' : `${left}天`}</span>
    </Space>
  );
}

function Goods({ storeId }: { storeId: string }) {
  const [pageNo, setPageNo] = useState(1);
  const list = useList(queryStoreGoodsList, { storeId, pageNo, pageSize: 20 }, { quiet: true });
  return (
    <DataTable
      height={420}
      rows={list.rows}
      loading={list.fetching}
      error={list.error}
      onRetry={() => void list.refetch()}
      empty="还没有商品价格，可在“商品价格”中导入"
      columns={[
        { key: 'goodsCode', title: '商品编码', width: 130 },
        { key: 'goodsName', title: '商品', width: 200 },
        { key: 'spec', title: '规格', width: 140 },
        { key: 'priceFen', title: '价格', kind: 'custom', width: 100, align: 'right', render: (row) => <Money fen={row.priceFen} /> },
        { key: 'inStock', title: '有货', kind: 'flag' },
        { key: 'effectiveFrom', title: '生效日期', kind: 'day' },
      ]}
      paging={{ pageNo, pageSize: 20, total: list.total, onChange: setPageNo }}
    />
  );
}

function Hours({ store }: { store: StoreDetail }) {
  const layers = useLayers();
  const week = store.weekHours as WeekHours;
  const today = todayHere();
  return (
    <>
      <Can permission={may['store.edit']}>
        <Button onClick={() => layers.open((close) => <HoursDialog stores={[store]} initial={week} onClose={close} />)}>
          设置营业时间
        </Button>
      </Can>
      <Facts
        title="每周"
        columns={2}
        facts={weekDays.map((day) => ({ label: dayNames[Number(day)]!, value: showSpans(week[day] ?? []) }))}
      />
      <Facts
        title="未来14天"
        columns={2}
        facts={Array.from({ length: 14 }, (_, index) => plusDays(today, index)).map((day) => {
          const holiday = store.holidays.find((one) => one.day === day);
          return {
            label: `${day.slice(5)} ${dayNames[Number(weekDayOf(day))]}`,
            value: (
              <>
                {showSpans(spansOf(day, week, store.holidays))}
                {holiday && <Tag color="warning">{holiday.note || '特殊安排'}</Tag>}
              </>
            ),
          };
        })}
      />
      {layers.shown}
    </>
  );
}

/** One drugstore: facts, place, hours, licences, prices, changes, and what may be done now. */
export function StoreDrawer({ storeId, onClose, onEdit }: { storeId: string | undefined; onClose(): void; onEdit(storeId: string): void }) {
  const { data, error, loading, refetch } = useData(
    queryDrugstoreDetail,
    { storeId: storeId ?? '0' },
    { enabled: storeId !== undefined, quiet: true },
  );
  const layers = useLayers();
  const refreshes = [queryDrugstoreDetail, queryDrugstoreList, queryStoreChangeList];
  const submit = useCommand(submitDrugstore, { refreshes, success: 'message' });
  const audit = useCommand(auditDrugstore, { refreshes, success: '修改成功!' });
  const change = useCommand(changeDrugstoreState, { refreshes, success: '修改成功!' });
  const today = todayHere();
  return (
    <Drawer open={storeId !== undefined} onClose={onClose} size={920} title="药店详情" destroyOnHidden>
      <DetailLayout
        title={data?.name ?? ''}
        state={
          data && (
            <>
              <Dict of={storeMachine.dictionary} code={data.state} />
              {data.state === 'OPEN' && (
                <Tag color={data.openNow ? 'success' : 'default'} variant="filled">
                  {data.openNow ? '现在营业' : '现在休息'}
                </Tag>
              )}
            </>
          )
        }
        subtitle={
          data && `${data.storeNo}　${data.region}　今日${data.todayHours}${data.suspendReason ? `　停用原因：${data.suspendReason}` : ''}`
        }
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          data && (
            <>
              <Can permission={may['store.edit']}>{data.state !== 'CLOSED' && <Button onClick={() => onEdit(data.id)}>编辑</Button>}</Can>
              <StateActions
                machine={storeMachine}
                state={data.state}
                facts={[
                  { label: '门店', value: `${data.name}（${data.storeNo}）` },
                  { label: '连锁', value: data.chainName },
                  ...factsIn(queryDrugstoreDetail.output, data, ['uscc', 'phone', 'managerName', 'openOrderCount']),
                ]}
                without={data.mine ? ['approve', 'reject'] : []}
                onAction={(action, opinion) => {
                  const at = { id: data.id, version: data.version };
                  if (action === 'submit') return submit.run(at);
                  if (action === 'approve' || action === 'reject') return audit.run({ ...at, action, opinion });
                  return action === 'suspend' || action === 'resume' || action === 'close'
                    ? change.run({ ...at, action, opinion })
                    : undefined;
                }}
              />
            </>
          )
        }
      >
        {data && (
          <Tabs
            items={[
              {
                key: 'facts',
                label: '基本',
                children: (
                  <Facts
                    columns={2}
                    facts={factsIn(queryDrugstoreDetail.output, data, [
                      {
                        key: 'storeTags',
                        value: data.storeTags.length ? (
                          <span className="in-tags">
                            {data.storeTags.map((tag) => (
                              <Dict key={tag} of={storeTags} code={tag} />
                            ))}
                          </span>
                        ) : (
                          NOTHING
                        ),
                      },
                      'capabilities',
                      { label: '连锁/店号', value: data.chainName ? `${data.chainName} ${data.chainStoreCode ?? ''}` : NOTHING },
                      'phone',
                      'uscc',
                      'nhsaCode',
                      'managerName',
                      {
                        key: 'managerMobile',
                        value: (
                          <Masked value={data.managerMobile} permission={may['sensitive.reveal']} reveal={reveal(data.id, 'MOBILE')} />
                        ),
                      },
                      { key: 'pharmacistName', value: data.pharmacistName ? `${data.pharmacistName} ${data.pharmacistCertNo}` : NOTHING },
                      'openOrderCount',
                      {
                        label: '配送',
                        value: data.deliveryRadiusM ? (
                          <>
                            半径{data.deliveryRadiusM}米，配送费
                            <Money fen={data.deliveryFeeFen ?? 0} unit />
                            {data.freeOverFen ? (
                              <>
                                ，满
                                <Money fen={data.freeOverFen} unit />免
                              </>
                            ) : (
                              ''
                            )}
                          </>
                        ) : (
                          '不配送'
                        ),
                        wide: true,
                      },
                      {
                        key: 'account',
                        value: data.account ? (
                          <span>
                            {accountOwners.label(data.accountOf)}：{data.account.companyName}，{data.account.bankName}，
                            <Masked
                              value={data.account.accountNo}
                              permission={may['sensitive.reveal']}
                              reveal={reveal(data.id, 'ACCOUNT')}
                            />
                          </span>
                        ) : (
                          accountOwners.label(data.accountOf)
                        ),
                        wide: true,
                      },
                      ...(data.withheld.length
                        ? [
                            {
                              label: '因证照暂停',
                              value: data.withheld
                                .map((one) => (one.startsWith('tag:') ? storeTags.label(one.slice(4)) : capabilities.label(one.slice(4))))
                                .join('、'),
                              wide: true,
                            },
                          ]
                        : []),
                    ])}
                  />
                ),
              },
              {
                key: 'place',
                label: '位置',
                children: (
                  <>
                    <p>
                      {data.address}
                      {data.locateSource && <span className="kq-muted">（{locateSources.label(data.locateSource)}）</span>}
                    </p>
                    <Suspense fallback={null}>
                      <PlaceMap
                        adcode={data.adcode}
                        point={data.lngE6 !== null && data.latE6 !== null ? { lngE6: data.lngE6, latE6: data.latE6 } : null}
                        radiusM={data.capabilities.includes('DELIVERY') ? data.deliveryRadiusM : null}
                      />
                    </Suspense>
                  </>
                ),
              },
              { key: 'hours', label: '营业时间', children: <Hours store={data} /> },
              {
                key: 'licences',
                label: '证照',
                children: (
                  <>
                    <Can permission={may['store.edit']}>
                      {data.state !== 'CLOSED' && (
                        <Button onClick={() => layers.open((close) => <LicenceForm store={data} onClose={close} />)}>上传证照</Button>
                      )}
                    </Can>
                    <DataTable
                      height="auto"
                      rows={data.licences}
                      empty="还没有证照，点击“上传证照”添加"
                      columns={[
                        { key: 'licenceType', title: '证照', kind: 'dict', dictionary: licenceTypes, plain: true, width: 140 },
                        { key: 'licenceNo', title: '编号', width: 190 },
                        { key: 'holder', title: '持有人', width: 170 },
                        { key: 'validFrom', title: '有效期起', kind: 'day' },
                        { key: 'validTo', title: '有效期止', width: 110, value: (row) => row.validTo ?? '长期' },
                        {
                          key: 'left',
                          title: '剩余',
                          kind: 'custom',
                          width: 180,
                          render: (row) =>
                            row.state === 'REPLACED' ? NOTHING : <Validity from={row.validFrom} to={row.validTo} today={today} />,
                        },
                        { key: 'state', title: '状态', kind: 'dict', dictionary: licenceStates },
                      ]}
                    />
                    <h4>扫描件</h4>
                    <Suspense fallback={null}>
                      <Papers ownerType="institution.drugstore" ownerId={data.id} empty="没有上传扫描件" />
                    </Suspense>
                  </>
                ),
              },
              { key: 'goods', label: '商品价格', children: <Goods storeId={data.id} /> },
              {
                key: 'changes',
                label: '变更记录',
                children: (
                  <>
                    <Section title="需审核的变更">
                      <DataTable
                        height="auto"
                        rows={data.changes}
                        empty="没有需审核的变更"
                        columns={[
                          { key: 'changeNo', title: '变更单号', width: 170 },
                          {
                            key: 'differences',
                            title: '内容',
                            kind: 'custom',
                            width: 360,
                            render: (row) => (
                              <span
                                title={row.differences.map((one) => `${one.label}：${one.before || '—'} → ${one.after || '—'}`).join('\n')}
                              >
                                {row.differences.map((one) => `${one.label}：${one.before || '—'} → ${one.after || '—'}`).join('；')}
                              </span>
                            ),
                          },
                          { key: 'makerName', title: '提交人', width: 90 },
                          { key: 'checkerName', title: '审核人', width: 90 },
                          { key: 'state', title: '状态', kind: 'dict', dictionary: changeMachine.dictionary },
                        ]}
                      />
                    </Section>
                    <Section title="操作轨迹">
                      <AuditTimeline rows={data.trail} machine={storeMachine} />
                    </Section>
                  </>
                ),
              },
            ]}
          />
        )}
      </DetailLayout>
      {layers.shown}
    </Drawer>
  );
}
