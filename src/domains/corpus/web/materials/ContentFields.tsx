import { Button, Form, Input, Select, type FormInstance } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { articleHosts, miniApps } from '#kernel/contract/linkPlaces.ts';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import {
  articleContent,
  medicineCardContent,
  miniCardContent,
  questionnaireContent,
  textContent,
} from '../../contract/materials/content.ts';
import { MATERIAL_FILE, MATERIAL_TARGET, type MaterialType } from '../../contract/materials/dictionaries.ts';
import { markedParts, textVariables } from '../../contract/materials/text.ts';
import { MarkedText } from './PhonePreview.tsx';
import { MedicineSelect } from './MedicineSelect.tsx';
import { useMaterialOptions } from './materialOptions.ts';

const QuestionnairePick = lazy(async () => ({ default: (await import('../questionnaires/QuestionnairePick.tsx')).QuestionnairePick }));

const within = ['content'];
const ONE_PICTURE = 1;

interface PictureProps {
  id?: string;
  value?: string | null;
  onChange?(fileId: string | null): void;
  materialId: string | undefined;
}

/** Names of what was uploaded here and is not linked to a material yet. */
const fresh = new Map<string, UploadedFile>();

function Picture({ id, value, onChange, materialId }: PictureProps) {
  const { data } = useData(
    queryFileList,
    { ownerType: MATERIAL_TARGET, ownerId: materialId ?? '0' },
    { enabled: materialId !== undefined, quiet: true, fresh: 60_000 },
  );
  const files = useMemo((): UploadedFile[] => {
    if (!value) return [];
    const file = data?.find(({ fileId }) => fileId === value) ?? fresh.get(value);
    return [
      {
        fileId: value,
        fileName: file?.fileName ?? '图片',
        detectedType: file?.detectedType ?? null,
        size: file?.size ?? null,
        pageCount: file?.pageCount ?? null,
      },
    ];
  }, [data, value]);
  return (
    <Upload
      {...(id && { id })}
      purpose={MATERIAL_FILE}
      max={ONE_PICTURE}
      hint="jpg、png，不超过5MB"
      value={files}
      onChange={(next) => {
        for (const file of next) fresh.set(file.fileId, file);
        onChange?.(next.at(-1)?.fileId ?? null);
      }}
    />
  );
}

/** The text with what may be put into it, and its forbidden words marked. */
function TextFields({ form }: { form: FormInstance }) {
  const written = Form.useWatch(['content', 'text'], form);
  const text = typeof written === 'string' ? written : '';
  const { data } = useMaterialOptions();
  const words = data?.words ?? [];
  const marked = markedParts(text, words).some(({ level }) => level !== null);
  const insert = (name: string) => form.setFieldValue(['content', 'text'], `${text}{{${name}:您}}`.slice(0, 500));
  return (
    <>
      <Field of={textContent} within={within} name="text" extra="变量写作 {{变量:缺省}}，没有值时显示缺省">
        <Input.TextArea rows={6} showCount />
      </Field>
      <div className="kq-mat-thumbs">
        <span className="kq-muted">插入变量</span>
        {textVariables.map(({ name }) => (
          <Button key={name} size="small" onClick={() => insert(name)}>
            {name}
          </Button>
        ))}
      </div>
      {marked && (
        <p role="status">
          禁用词：
          <MarkedText text={text} words={words} />
        </p>
      )}
    </>
  );
}

/** The fields of one type of content. */
export function ContentFields({ type, form, materialId }: { type: MaterialType; form: FormInstance; materialId: string | undefined }) {
  switch (type) {
    case 'TEXT':
      return <TextFields form={form} />;
    case 'IMAGE':
      return (
        <Form.Item name={['content', 'fileId']} label="图片" rules={[{ required: true, message: '请上传图片' }]}>
          <Picture materialId={materialId} />
        </Form.Item>
      );
    case 'ARTICLE':
      return (
        <>
          <Field of={articleContent} within={within} name="title" />
          <Field of={articleContent} within={within} name="summary" />
          <Field of={articleContent} within={within} name="url" extra={`须为https，允许的域名：${articleHosts.join('、')}`} />
          <Form.Item name={['content', 'coverFileId']} label="封面">
            <Picture materialId={materialId} />
          </Form.Item>
        </>
      );
    case 'MINI_CARD':
      return (
        <>
          <Field of={miniCardContent} within={within} name="appId">
            <Select placeholder="请选择小程序" options={miniApps.map(({ appId, name }) => ({ value: appId, label: name }))} />
          </Field>
          <Field of={miniCardContent} within={within} name="path" placeholder="pages/index/index" />
          <Field of={miniCardContent} within={within} name="title" />
          <Form.Item name={['content', 'coverFileId']} label="封面">
            <Picture materialId={materialId} />
          </Form.Item>
        </>
      );
    case 'MEDICINE_CARD':
      return (
        <>
          <Field of={medicineCardContent} within={within} name="medicineId" extra="处方药只发送给有有效处方的患者">
            <MedicineSelect />
          </Field>
          <Field of={medicineCardContent} within={within} name="note" />
        </>
      );
    case 'QUESTIONNAIRE':
      return (
        <>
          <Suspense fallback={null}>
            <Field of={questionnaireContent} within={within} name="questionnaireId">
              <QuestionnairePick />
            </Field>
          </Suspense>
          <Field of={questionnaireContent} within={within} name="validDays" extra="从发送起计算，1至30天" />
        </>
      );
  }
}
