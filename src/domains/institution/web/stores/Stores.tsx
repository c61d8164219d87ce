import { Button, Segmented } from 'antd';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { capabilities, storeTags } from '../../contract/dictionaries.ts';
import { remindLicence } from '../../contract/licenceCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { storeMachine } from '../../contract/states.ts';
import {
  changeDrugstoreState,
  delDrugstore,
  queryDrugstoreDetail,
  queryDrugstoreList,
  submitDrugstore,
  type StoreRow,
  exportDrugstoreList,
} from '../../contract/storeCalls.ts';

// The map, drawers and dialogs are fetched when first opened.
const ChainPicker = lazy(async () => ({ default: (await import('./ChainPicker.tsx')).ChainPicker }));
const PlaceMap = lazy(async () => ({ default: (await import('../shared/PlaceMap.tsx')).PlaceMap }));
const GeocodeDialog = lazy(async () => ({ default: (await import('./GeocodeDialog.tsx')).GeocodeDialog }));
const HoursOf = lazy(async () => ({ default: (await import('./HoursOf.tsx')).HoursOf }));
const HoursDialog = lazy(async () => ({ default: (await import('./HoursDialog.tsx')).HoursDialog }));
const HolidayDialog = lazy(async () => ({ default: (await import('./HoursDialog.tsx')).HolidayDialog }));
const LicenceForm = lazy(async () => ({ default: (await import('./LicenceForm.tsx')).LicenceForm }));
const StoreDrawer = lazy(async () => ({ default: (await import('./StoreDrawer.tsx')).StoreDrawer }));
const AddStoreForm = lazy(async () => ({ default: (await import('./StoreForm.tsx')).AddStoreForm }));
const EditStoreForm = lazy(async () => ({ default: (await import('./StoreForm.tsx')).EditStoreForm }));

const licenceTag = (row: StoreRow) => {
  if (row.expireDays === null) return <span className="kq-muted">—</span>;
  if (row.expireDays < 0) return <span className="kq-dict kq-dict-error">已过期</span>;
  return (
    <span className={`kq-dict kq-dict-${row.expireDays <= 60 ? 'warning' : 'success'}`}>
      {row.expireDays <= 60 ? `${row.expireDays}天后到期` : '有效'}
    </span>
  );
};

const stores = resource(queryDrugstoreList, {
  routeKey: 'drugstoreManagement',
  empty: '没有符合条件的药店，点击“新增药店”或“导入”创建',
  columns: [
    { key: 'storeNo', width: 170 },
    { key: 'name', width: 220, required: true },
    {
      key: 'chain',
      title: '连锁/店号',
      width: 170,
      value: (row) => (row.chainName ? `${row.chainName} ${row.chainStoreCode ?? ''}` : ''),
    },
    {
      key: 'storeTags',
      width: 190,
      render: (row) => (
        <span className="in-tags">
          {row.storeTags.map((tag) => (
            <Dict key={tag} of={storeTags} code={tag} />
          ))}
        </span>
      ),
    },
    { key: 'capabilities', width: 150, value: (row) => row.capabilities.map((one) => capabilities.label(one)).join('、') },
    { key: 'region', width: 180 },
    { key: 'address', width: 200 },
    {
      key: 'openNow',
      width: 170,
      render: (row) =>
        row.state === 'OPEN' ? (
          <span>
            <span className={`kq-dict kq-dict-${row.openNow ? 'success' : 'default'}`}>{row.openNow ? '营业中' : '休息'}</span>{' '}
            {row.todayHours}
          </span>
        ) : (
          <span className="kq-muted">{row.todayHours}</span>
        ),
    },
    { key: 'nextExpireOn', width: 110, render: licenceTag },
    {
      key: 'state',
      width: 130,
      render: (row) => (
        <span className="in-tags" title={row.suspendReason ?? undefined}>
          <Dict of={storeMachine.dictionary} code={row.state} />
          {row.changePending && <span className="kq-dict kq-dict-warning">变更中</span>}
        </span>
      ),
    },
    { key: 'phone', width: 130, hidden: true },
    { key: 'updatedAt', hidden: true },
  ],
  filters: [
    'storeNo',
    'name',
    { kind: 'picker', name: 'chainId', picker: ChainPicker },
    'storeTags',
    'capabilities',
    { kind: 'region', name: 'adcode' },
    'state',
    'openNow',
    'expireWithin',
    { name: 'goodsCode', placeholder: '商品编码' },
  ],
});
type Located = StoreRow & { lngE6: number; latE6: number };
const located = (row: StoreRow): row is Located => row.lngE6 !== null && row.latE6 !== null;
/** Tells the map which stores the page of the list holds. */
function Shown({ rows, onShown }: { rows: readonly StoreRow[]; onShown(rows: readonly Located[]): void }) {
  const latest = useRef(rows);
  latest.current = rows;
  // By content: the list hands in a new array with every render.
  const content = rows.map(({ id, version }) => `${id}:${version}`).join();
  useEffect(() => onShown(content === '' ? [] : latest.current.filter(located)), [content, onShown]);
  return null;
}

const address = { storeId: param.optional(), view: param.oneOf(['list', 'map']) };

/** Tab 门店. */
export function Stores() {
  const [{ storeId, view }, setAddress] = useAddress(address);
  const { open, shown: opened } = useLayers();
  const edit = (id: string) => open((close) => <EditStoreForm storeId={id} onClose={close} />);
  const [shown, setShown] = useState<readonly Located[]>([]);
  const refreshes = [queryDrugstoreList, queryDrugstoreDetail];
  const submit = useCommand(submitDrugstore, { refreshes, success: 'message' });
  const change = useCommand(changeDrugstoreState, { refreshes, success: '修改成功!' });
  const remove = useCommand(delDrugstore, { refreshes, success: '删除成功!' });
  const move = (action: 'suspend' | 'resume' | 'close') => async (row: StoreRow) => {
    const { label, danger = false } = storeMachine.transitions[action] as { label: string; danger?: boolean };
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要对“${row.name}”执行${label}吗?${action === 'close' ? '关店后不可恢复。' : ''}`,
      facts: factsIn(queryDrugstoreList.output, row, ['storeNo', 'chainName', 'region', 'address', 'nextExpireOn']),
      danger,
    });
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, opinion });
  };
  // Once opened the drawer stays, so that it closes with its motion.
  const drawn = useRef(false);
  drawn.current ||= storeId !== undefined;
  return (
    <>
      <ResourceList
        of={stores}
        toolbar={(list) => (
          <>
            <Segmented
              options={[
                { value: 'list', label: '列表' },
                { value: 'map', label: '地图视图' },
              ]}
              value={view}
              onChange={(next) => setAddress({ view: next as 'list' | 'map' })}
            />
            <Can permission={may['store.edit']}>
              <Button type="primary" onClick={() => open((close) => <AddStoreForm onClose={close} />)}>
                新增药店
              </Button>
            </Can>
            <ImportButton
              importerCode="institution.drugstore"
              permission={may['store.import']}
              onChanged={() => void refresh(...refreshes)}
            />
            {view === 'map' && <Shown rows={list.rows} onShown={setShown} />}
            <ExportButton call={exportDrugstoreList} view={list} permission={may['store.export']} />
          </>
        )}
        onRowClick={(row) => setAddress({ storeId: row.id })}
        actions={[
          { label: '详情', act: (row) => setAddress({ storeId: row.id }) },
          { label: '编辑', permission: may['store.edit'], when: (row) => row.state !== 'CLOSED', act: (row) => edit(row.id) },
          {
            label: '提交审核',
            permission: may['store.edit'],
            when: (row) => row.state === 'DRAFT' || row.state === 'REJECTED',
            act: (row) => submit.run({ id: row.id, version: row.version }),
          },
          {
            label: '审核',
            permission: may['store.audit'],
            when: (row) => row.state === 'PENDING' && !row.mine,
            act: (row) => setAddress({ storeId: row.id }),
          },
          {
            label: '营业时间',
            permission: may['store.edit'],
            when: (row) => row.state !== 'CLOSED',
            act: (row) => open((close) => <HoursOf row={row} onClose={close} />),
          },
          {
            label: '证照',
            permission: may['store.edit'],
            when: (row) => row.state !== 'CLOSED',
            act: (row) => open((close) => <LicenceForm store={row} onClose={close} />),
          },
          { label: '停用', permission: may['store.state'], when: (row) => row.state === 'OPEN', danger: true, act: move('suspend') },
          { label: '恢复', permission: may['store.state'], when: (row) => row.state === 'SUSPENDED', act: move('resume') },
          {
            label: '关店',
            permission: may['store.state'],
            when: (row) => row.state === 'OPEN' || row.state === 'SUSPENDED',
            danger: true,
            act: move('close'),
          },
          {
            label: '删除',
            permission: may['store.edit'],
            when: (row) => row.state === 'DRAFT',
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`门店“${row.name}”（${row.storeNo}）`)) await remove.run({ id: row.id, version: row.version });
            },
          },
        ]}
        batch={[
          {
            label: '设置营业时间',
            permission: may['store.edit'],
            nameOf: (row) => row.name,
            dialog: (rows, layer) => <HoursDialog stores={rows} onDone={layer.done} onClose={layer.close} />,
          },
          {
            label: '节假日安排',
            permission: may['store.edit'],
            nameOf: (row) => row.name,
            dialog: (rows, layer) => <HolidayDialog stores={rows} onDone={layer.done} onClose={layer.close} />,
          },
          {
            label: '发送证照提醒',
            permission: may['store.edit'],
            nameOf: (row) => row.name,
            when: (row) => row.state !== 'CLOSED',
            each: async (row) => {
              const [result] = await send(remindLicence, { storeIds: [row.id] }, { quiet: true });
              if (!result?.ok) throw new RefusalError('', result?.message ?? '未发送');
            },
          },
          {
            label: '解析坐标',
            permission: may['store.edit'],
            nameOf: (row) => row.name,
            dialog: (rows, layer) => <GeocodeDialog stores={rows} onDone={layer.done} onClose={layer.close} />,
          },
        ]}
        {...(view === 'map' && {
          above: (
            <Suspense fallback={null}>
              <PlaceMap adcode={null} point={null} others={shown} />
            </Suspense>
          ),
        })}
      />
      <Suspense fallback={null}>
        {drawn.current && <StoreDrawer storeId={storeId} onClose={() => setAddress({ storeId: undefined })} onEdit={edit} />}
      </Suspense>
      {opened}
    </>
  );
}
