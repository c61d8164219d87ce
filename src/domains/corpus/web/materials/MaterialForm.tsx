import { lazy, Suspense } from 'react';
import { Form, Radio, Select } from 'antd';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import {
  addMaterial,
  modifyMaterial,
  queryMaterialDetail,
  queryMaterialFolderList,
  queryMaterialList,
  queryMaterialOptions,
  type MaterialRow,
  type ShownContent,
} from '../../contract/materials/calls.ts';
import { materialType, type MaterialType } from '../../contract/materials/dictionaries.ts';
import { useMenuDiseases } from '../data.ts';
import { ContentFields } from './ContentFields.tsx';
import { folderLines, useFolders, useMaterialOptions } from './materialOptions.ts';
import './materials.css';

const PhonePreview = lazy(async () => ({ default: (await import('./PhonePreview.tsx')).PhonePreview }));

type Input = InputOf<typeof addMaterial>;
interface Values extends Omit<Input, 'content'> {
  content: Record<string, unknown> & { type: MaterialType };
}

/** Types that can be written here. */
const writable: readonly MaterialType[] = ['TEXT', 'IMAGE', 'ARTICLE', 'MINI_CARD', 'QUESTIONNAIRE', 'MEDICINE_CARD'];
const labels = { title: '素材标题', folderId: '目录', diseaseIds: '适用病种', tags: '标签' };
const FORM_WIDTH = 920;

interface MaterialFormProps {
  /** Null: a new one. */
  material: { row: MaterialRow; shown: ShownContent | null } | null;
  folderId?: string | undefined;
  onClose(): void;
  onSaved?(id: string): void;
}

/** Drawer 新增/编辑素材: fields by type, beside them what the patient will see. */
export function MaterialForm({ material, folderId, onClose, onSaved }: MaterialFormProps) {
  const [form] = Form.useForm<Values>();
  const watched = Form.useWatch('content', form) as Values['content'] | undefined;
  const stored = material?.shown?.content;
  const type = material?.row.materialType ?? watched?.type ?? 'TEXT';
  const { data: folders = [] } = useFolders();
  const { data: diseases } = useMenuDiseases();
  const { data: options } = useMaterialOptions();
  const content = watched ? { ...watched, type } : null;
  const samePicture = stored !== undefined && content !== null && pictureOf(stored) === pictureOf(content);
  const body = (
    <div className="kq-mat-split">
      <div>
        {material ? (
          <Form.Item name={['content', 'type']} hidden>
            <input type="hidden" />
          </Form.Item>
        ) : (
          <Form.Item name={['content', 'type']} label="类型">
            <Radio.Group optionType="button" options={writable.map((value) => ({ value, label: materialType.label(value) }))} />
          </Form.Item>
        )}
        <Field of={addMaterial} name="title" extra="仅内部可见，便于查找" />
        <ContentFields type={type} form={form} materialId={material?.row.id} />
        <Form.Item name="folderId" label={labels.folderId}>
          <Select
            allowClear
            placeholder="请选择目录"
            options={folderLines(folders).map(({ folder, below }) => ({
              value: folder.id,
              label: below ? `　${folder.name}` : folder.name,
            }))}
          />
        </Form.Item>
        <Form.Item name="diseaseIds" label={labels.diseaseIds} extra="不选表示通用">
          <Select
            mode="multiple"
            optionFilterProp="label"
            placeholder="请选择病种"
            options={(diseases?.rows ?? []).map(({ id, diseaseName }) => ({ value: id, label: diseaseName }))}
          />
        </Form.Item>
        <Form.Item name="tags" label={labels.tags}>
          <Select
            mode="tags"
            maxCount={10}
            placeholder="选择或输入标签"
            options={(options?.tags ?? []).map((tag) => ({ value: tag, label: tag }))}
          />
        </Form.Item>
      </div>
      <Suspense>
        <PhonePreview
          content={content}
          facts={samePicture ? factsOf(material?.shown) : undefined}
          pictureUrl={samePicture ? material?.shown?.pictureUrl : null}
        />
      </Suspense>
    </div>
  );
  const shared = {
    open: true,
    width: FORM_WIDTH,
    form,
    labels,
    refreshes: [queryMaterialList, queryMaterialDetail, queryMaterialFolderList, queryMaterialOptions],
    onClose,
  } as const;
  const toInput = ({ content: written, ...values }: Values): Input => ({
    ...values,
    folderId: values.folderId ?? null,
    // The server checks the content by its type.
    content: { ...written, type } as Input['content'],
  });
  return material ? (
    <FormDrawer<typeof modifyMaterial, Values>
      {...shared}
      title={`编辑素材：${material.row.title}`}
      call={modifyMaterial}
      recordKey={material.row.id}
      initial={{
        title: material.row.title,
        folderId: material.row.folderId,
        diseaseIds: material.row.diseaseIds,
        tags: material.row.tags,
        content: { ...stored, type },
      }}
      toInput={(values) => ({ id: material.row.id, version: material.row.version, ...toInput(values) })}
      success="修改成功!"
    >
      {body}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addMaterial, Values>
      {...shared}
      title="新增素材"
      call={addMaterial}
      initial={{ folderId: folderId ?? null, diseaseIds: [], tags: [], content: { type: 'TEXT' } }}
      toInput={toInput}
      success={SERVER_MESSAGE}
      onDone={({ data }) => onSaved?.(data.id)}
    >
      {body}
    </FormDrawer>
  );
}

const pictureOf = (content: object): unknown =>
  'fileId' in content ? content.fileId : 'coverFileId' in content ? content.coverFileId : null;
const factsOf = (shown: ShownContent | null | undefined) => shown?.facts;

/** The form of a stored material; it begins when its content is known. */
export const StoredMaterialForm = ({ id, onClose }: { id: string; onClose(): void }) => (
  <FormRecord call={queryMaterialDetail} input={{ id }} title="编辑素材" width={FORM_WIDTH} onClose={onClose}>
    {({ material, draft, current }) => <MaterialForm material={{ row: material, shown: draft ?? current }} onClose={onClose} />}
  </FormRecord>
);
