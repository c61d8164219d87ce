import { Button, Drawer, Tabs, Tag } from 'antd';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { objectMarksPlace } from '#kernel/web/kit/objectMarksPlace.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { packageState } from '../../contract/dictionaries.ts';
import { queryMaterialDetail, queryMaterialUsage, type ShownContent } from '../../contract/materials/calls.ts';
import { materialType } from '../../contract/materials/dictionaries.ts';
import { reviewActions, reviewMachine } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { openPlace } from '../place.ts';
import { PhonePreview } from './PhonePreview.tsx';
import { useMaterialActions } from './useMaterialActions.tsx';
import './materials.css';
import { BothVersions, ReviewStates, SubmittedVersions } from './reviewed.tsx';

const WIDTH = 960;
const MARKS = 'content.content.view';

type UsageRow = OutputOf<typeof queryMaterialUsage>[number] & { id: string };

const usageColumns: readonly Column<UsageRow>[] = [
  {
    key: 'sceneName',
    title: '场景',
    width: 180,
    kind: 'link',
    to: (row) => () => void openPlace({ diseaseId: row.diseaseId, sceneId: row.sceneId }),
  },
  { key: 'diseaseName', title: '病种', width: 140 },
  {
    key: 'kind',
    title: '位置',
    width: 140,
    value: (row) => (row.kind === 'CYCLE' ? '周期' : `第${row.dayOffset}天`),
  },
  { key: 'sendTime', title: '发送时间', width: 90 },
  { key: 'state', title: '场景状态', kind: 'dict', dictionary: packageState },
];

function Usage({ id }: { id: string }) {
  const { data, error, fetching, refetch } = useData(queryMaterialUsage, { id }, { quiet: true });
  return (
    <DataTable
      columns={usageColumns}
      rows={data?.map((row, index) => ({ ...row, id: `${row.sceneId}:${index}` }))}
      loading={fetching}
      error={error}
      onRetry={() => void refetch()}
      empty="没有场景引用该素材"
      height="auto"
    />
  );
}

const Shown = ({ shown }: { shown: ShownContent }) => (
  <PhonePreview content={shown.content} facts={shown.facts} pictureUrl={shown.pictureUrl} />
);

interface MaterialDrawerProps {
  id: string;
  tab?: string | undefined;
  onEdit(): void;
  onClose(): void;
}

/** One material: what patients get, who uses it, what was submitted and judged. */
export function MaterialDrawer({ id, tab, onEdit, onClose }: MaterialDrawerProps) {
  const holds = useMay();
  const { data, error, loading, refetch } = useData(queryMaterialDetail, { id }, { quiet: true });
  const actions = useMaterialActions();
  const material = data?.material;
  return (
    <Drawer open size={WIDTH} title="素材详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={material?.title}
        state={material && <ReviewStates of={material} />}
        subtitle={material?.materialNo}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          material && (
            <>
              {holds(may['material.edit']) && material.editState !== 'AUDITING' && <Button onClick={onEdit}>编辑</Button>}
              <TransitionButtons
                machine={reviewMachine}
                actions={reviewActions}
                allowed={material.allowedActions}
                disabled={actions.audit.busy}
                onTake={(action) => actions.take(material, action)}
              />
            </>
          )
        }
      >
        {data && material && (
          <Tabs
            defaultActiveKey={tab ?? 'content'}
            items={[
              {
                key: 'content',
                label: '内容',
                children: (
                  <>
                    <Facts
                      facts={[
                        { label: '类型', value: materialType.label(material.materialType) },
                        { label: '目录', value: material.folderName },
                        { label: '标签', value: material.tags.map((tag) => <Tag key={tag}>{tag}</Tag>) },
                        { label: '适用病种', value: material.diseaseNames.join('、') || '通用', wide: true },
                        ...(holds(MARKS)
                          ? [
                              {
                                label: '管理标签',
                                value: <Slot of={objectMarksPlace} props={{ objectType: 'MATERIAL', objectId: material.id }} />,
                                wide: true,
                              },
                            ]
                          : []),
                      ]}
                    />
                    <BothVersions current={data.current} draft={data.draft} show={(shown) => <Shown shown={shown} />} />
                  </>
                ),
              },
              { key: 'usage', label: `引用（${material.usageCount}）`, children: <Usage id={id} /> },
              {
                key: 'versions',
                label: '版本',
                children: <SubmittedVersions rows={data.versions} />,
              },
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={reviewMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}
