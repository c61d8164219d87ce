import { Button, Drawer } from 'antd';
import { lazy, useState } from 'react';
import { ask, confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { AuditTimeline, type TrailRow } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { divisionName } from '#kernel/web/session/divisions.ts';
import { documentPhases } from '../../contract/documents/states.ts';
import { productPermissions as may } from '../../contract/permissions.ts';
import { queryProductDetail, type VersionBrief } from '../../contract/products/calls.ts';
import { delProductVersion, queryProductList } from '../../contract/products/listCalls.ts';
import { productStates } from '../../contract/products/states.ts';

const NewVersion = lazy(async () => ({ default: (await import('../versions/NewVersion.tsx')).NewVersion }));
const VersionDiff = lazy(async () => ({ default: (await import('../versions/VersionDiff.tsx')).VersionDiff }));
const QuoteDialog = lazy(async () => ({ default: (await import('./QuoteDialog.tsx')).QuoteDialog }));

const places = (value: unknown) => (Array.isArray(value) ? value.map((adcode) => divisionName(String(adcode))) : value);
/** Regions are kept by their codes; the page knows what they are called. */
const withPlaces = (row: TrailRow): TrailRow => ({
  ...row,
  diff: row.diff.map((one) => (one.path === 'adcodes' ? { ...one, before: places(one.before), after: places(one.after) } : one)),
});

interface DrawerProps {
  productId: string;
  onVersion(versionId: string, mode: 'view' | 'edit'): void;
  onClose(): void;
}

/** A product with all of its versions: `?productId=`. */
export function ProductDrawer({ productId, onVersion, onClose }: DrawerProps) {
  const layers = useLayers();
  const { data, error, loading, refetch } = useData(queryProductDetail, { productId }, { quiet: true });
  const [pair, setPair] = useState<{ fromId: string; toId: string } | null>(null);
  const remove = useCommand(delProductVersion, { success: '删除成功!', refreshes: [queryProductDetail, queryProductList] });
  const product = data?.product;
  const versions = data?.versions ?? [];
  const open = versions.find(({ state }) => state === 'DRAFT' || state === 'PENDING_AUDIT' || state === 'REJECTED');
  const before = (one: VersionBrief) => versions.find(({ versionNo }) => versionNo < one.versionNo);
  const begin = async () => {
    if (open) {
      if (await ask({ content: `已有未发布的版本V${open.versionNo}，打开它吗?`, ok: '打开' }))
        onVersion(open.id, open.state === 'PENDING_AUDIT' ? 'view' : 'edit');
      return;
    }
    layers.open((close) => (
      <NewVersion productId={productId} copyFrom={versions[0]?.id} onClose={close} onMade={(id) => onVersion(id, 'edit')} />
    ));
  };
  return (
    <Drawer open size={1080} title="产品详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={product?.productName}
        state={product && <Dict of={productStates.dictionary} code={product.status} />}
        subtitle={product?.productCode}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          product && (
            <>
              <Can permission={may['product.edit']}>
                {product.status !== 'RETIRED' && (
                  <Button type="primary" onClick={() => void begin()}>
                    新建版本
                  </Button>
                )}
              </Can>
              {versions.length > 0 && (
                <Button onClick={() => layers.open((close) => <QuoteDialog versions={versions} onClose={close} />)}>保费试算</Button>
              )}
            </>
          )
        }
        aside={
          data && (
            <Section title="操作记录">
              <AuditTimeline rows={data.timeline.map(withPlaces)} machine={productStates} />
            </Section>
          )
        }
      >
        {product && (
          <>
            <Facts
              facts={factsIn(queryProductDetail.output.shape.product, product, [
                'shortName',
                'productLine',
                'productType',
                'insurerName',
                'sponsorName',
                'pharmaCompanyName',
                'ownerName',
                { key: 'adcodes', value: product.adcodes.length === 0 ? '全国' : product.adcodes.map(divisionName).join('、'), wide: true },
                {
                  label: '关系',
                  value: (
                    <>
                      <PageLink to="/appedProduct" search={{ productId }}>
                        附加产品
                      </PageLink>
                      {'　'}
                      <PageLink to="/associatedProduct" search={{ productId }}>
                        关联产品
                      </PageLink>
                      {'　'}
                      {versions.length > 0 && (
                        <PageLink to="/lookClaimRules" search={{ productCode: product.productCode }}>
                          理赔规则
                        </PageLink>
                      )}
                    </>
                  ),
                  wide: true,
                },
              ])}
            />
            <Section title={`版本（${versions.length}）`}>
              <DataTable
                rows={versions}
                height="auto"
                empty="还没有版本，点击“新建版本”"
                columns={[
                  { key: 'versionNo', title: '版本', width: 70, value: (row) => `V${row.versionNo}` },
                  { key: 'phase', title: '状态', kind: 'dict', dictionary: documentPhases },
                  { key: 'effectiveFrom', title: '生效日', kind: 'day' },
                  { key: 'effectiveTo', title: '失效日', width: 110, value: (row) => row.effectiveTo ?? '长期' },
                  { key: 'changeNote', title: '变更说明', width: 160 },
                  { key: 'makerName', title: '提交人', width: 80 },
                  { key: 'checkerName', title: '审核人', width: 80 },
                ]}
                actions={[
                  { label: '查看', act: (row) => onVersion(row.id, 'view') },
                  {
                    label: '编辑',
                    when: ({ allowedActions }) => allowedActions.includes('modify'),
                    act: (row) => onVersion(row.id, 'edit'),
                  },
                  {
                    label: '对比上一版',
                    when: (row) => before(row) !== undefined,
                    act: (row) => setPair({ fromId: before(row)!.id, toId: row.id }),
                  },
                  {
                    label: '删除',
                    danger: true,
                    when: ({ allowedActions }) => allowedActions.includes('modify'),
                    act: async (row) => {
                      if (
                        await confirmDelete(`“${product?.productName ?? ''}”V${row.versionNo}`, [
                          '计划、保障责任、理赔规则与测试用例一并删除',
                        ])
                      )
                        await remove.run({ productVersionId: row.id, version: row.version });
                    },
                  },
                ]}
              />
            </Section>
            {pair && (
              <Section
                title="版本对比"
                extra={
                  <Button type="link" onClick={() => setPair(null)}>
                    收起
                  </Button>
                }
              >
                <VersionDiff {...pair} />
              </Section>
            )}
          </>
        )}
      </DetailLayout>
      {layers.shown}
    </Drawer>
  );
}
