import { Button, Drawer, Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { objectMarksPlace } from '#kernel/web/kit/objectMarksPlace.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { medicineFacts, queryMedicineDetail, type MedicineFacts } from '../../contract/calls/medicines.ts';
import { medicineFieldKeys } from '../../contract/rules/medicineFields.ts';
import { applyTypes } from '../../contract/dictionaries.ts';
import { applyMachine, medicineMachine } from '../../contract/states.ts';

const Goods = lazy(async () => ({ default: (await import('./Goods.tsx')).Goods }));
const Reimburse = lazy(async () => ({ default: (await import('./Reimburse.tsx')).Reimburse }));

/** Who sees marks of things; they are content's. */
const MARKS = 'content.content.view';

const BASICS = [
  'genericName',
  'brandName',
  'englishName',
  'genericPinyin',
  'medicineKind',
  'rxClass',
  'dosageForm',
  'strength',
  'categoryName',
  'approvalNo',
  'approvalKind',
  'approvalValidTo',
  'baseCode',
  'nhsaCode',
  'atcCode',
] as const;
const TAXES = ['taxCode', 'taxScheme'] as const;
/** Entered fields that stand as names, in words of several or on another tab; the order of a medicine is nobody's to read. */
const SHOWN_ELSEWHERE = [
  'brandPinyin',
  'holderId',
  'makerId',
  'importerId',
  'categoryId',
  'indications',
  'defaultDose',
  'labelFileId',
  'imageFileIds',
  'taxRateBp',
  'sort',
] as const;
const dose = (medicine: MedicineFacts) => {
  const given = medicine.defaultDose;
  return given && `每次${given.amount}${given.unit}，每日${given.timesPerDay}次${given.days ? `，疗程${given.days}天` : ''}`;
};

function FactGroups({ medicine }: { medicine: MedicineFacts }) {
  const holds = useMay();
  return (
    <>
      <Facts
        title="基本信息"
        facts={factsIn(medicineFacts, medicine, [
          ...BASICS,
          { key: 'holderName', wide: true },
          { key: 'makerName', wide: true },
          { key: 'importerName', wide: true },
          ...(holds(MARKS)
            ? [
                {
                  label: '标签',
                  value: <Slot of={objectMarksPlace} props={{ objectType: 'MEDICINE', objectId: medicine.id }} />,
                  wide: true,
                },
              ]
            : []),
        ])}
      />
      <Facts
        title="用法与贮藏"
        facts={factsIn(
          medicineFacts,
          medicine,
          [
            'storage',
            'coldChain',
            'lightproof',
            'controlClass',
            'rxRequired',
            { label: '默认用量', value: dose(medicine) },
            {
              label: '适应症',
              value: medicine.indications
                .map((entry) => `${entry.text}${entry.icd10Prefixes.length ? `（${entry.icd10Prefixes.join('、')}）` : ''}`)
                .join('；'),
              wide: true,
            },
            'usageText',
            'contraindication',
            'adverseReaction',
          ],
          { of: medicineFieldKeys, without: [...BASICS, ...TAXES, ...SHOWN_ELSEWHERE] },
        )}
      />
      <Facts
        title="税务"
        facts={factsIn(medicineFacts, medicine, [
          ...TAXES,
          { label: '税率', value: medicine.taxRateBp === null ? null : `${medicine.taxRateBp / 100}%` },
        ])}
      />
    </>
  );
}

/** Label and pictures of a medicine. */
function Papers({ medicine }: { medicine: MedicineFacts }) {
  const found = useData(queryFileList, { ownerType: 'pharma.medicine', ownerId: medicine.id }, { quiet: true });
  const [index, setIndex] = useState<number | null>(null);
  const wanted = new Set([medicine.labelFileId, ...medicine.imageFileIds]);
  if (!found.data) return <Waiting for={found} />;
  const files = found.data.filter((file) => wanted.has(file.fileId));
  if (files.length === 0) return <div className="kq-empty">暂未上传说明书和图片</div>;
  return (
    <>
      {files.map((file, place) => (
        <p key={file.fileId}>
          <Button type="link" onClick={() => setIndex(place)}>
            {file.field === 'label' ? '说明书' : '图片'}：{file.fileName}
          </Button>
        </p>
      ))}
      <FilePreview
        files={index === null ? null : files}
        index={index ?? 0}
        ownerType="pharma.medicine"
        ownerId={medicine.id}
        onClose={() => setIndex(null)}
      />
    </>
  );
}

/** Drawer of one medicine: `?medicineId=`. */
export function MedicineDrawer({ medicineId, tab, onClose }: { medicineId: string; tab: string | undefined; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryMedicineDetail, { medicineId }, { quiet: true });
  const medicine = data?.medicine;
  return (
    <Drawer open size={1040} title="药品详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={medicine && `${medicine.genericName} ${medicine.strength ?? ''}`}
        state={medicine && <Dict of={medicineMachine.dictionary} code={medicine.state} />}
        subtitle={medicine && `${medicine.medicineNo} · ${medicine.approvalNo}`}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && medicine && (
          <Tabs
            defaultActiveKey={tab ?? 'facts'}
            items={[
              { key: 'facts', label: '基本信息', children: <FactGroups medicine={medicine} /> },
              {
                key: 'goods',
                label: '商品与价格',
                children: (
                  <Suspense fallback={<div className="kq-loading" />}>
                    <Goods medicineId={medicineId} />
                  </Suspense>
                ),
              },
              {
                key: 'reimburse',
                label: '医保',
                children: (
                  <Suspense fallback={<div className="kq-loading" />}>
                    <Reimburse medicineId={medicineId} />
                  </Suspense>
                ),
              },
              { key: 'papers', label: '说明书', children: <Papers medicine={medicine} /> },
              {
                key: 'uses',
                label: '使用情况',
                children: (
                  <Section title="产品线">
                    <DataTable
                      rows={data.lines}
                      rowKey="lineId"
                      height="auto"
                      empty="未绑定产品线"
                      columns={[
                        { key: 'name', title: '产品线', width: 180 },
                        { key: 'companyName', title: '药企', width: 240 },
                        { key: 'startDate', title: '自', kind: 'day' },
                        { key: 'endDate', title: '至', kind: 'day' },
                      ]}
                    />
                  </Section>
                ),
              },
              {
                key: 'applies',
                label: '审核记录',
                children: (
                  <DataTable
                    rows={data.applies}
                    height="auto"
                    empty="暂无审核记录"
                    columns={[
                      { key: 'applyNo', title: '申请编号', width: 170 },
                      { key: 'applyType', title: '类型', kind: 'dict', dictionary: applyTypes, plain: true },
                      { key: 'makerName', title: '提交人', width: 100 },
                      { key: 'createdAt', title: '提交时间', kind: 'time' },
                      { key: 'checkerName', title: '审核人', width: 100 },
                      { key: 'decidedAt', title: '审核时间', kind: 'time' },
                      { key: 'opinion', title: '意见', width: 160 },
                      { key: 'state', title: '状态', kind: 'dict', dictionary: applyMachine.dictionary },
                    ]}
                  />
                ),
              },
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={medicineMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}
