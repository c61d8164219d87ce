import { Button, Checkbox, Drawer, Form, Skeleton } from 'antd';
import { useState } from 'react';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { addConsentText, queryConsentList, queryConsentTextList, type ConsentText } from '../../../contract/calls/consent.ts';
import { consentTypes, type ConsentType } from '../../../contract/dictionaries.ts';
import { patientPermissions as rights } from '../../../contract/permissions.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { FileIds } from '../../shared/FileIds.tsx';

interface Values {
  consentType: ConsentType;
  docVersion: string;
  title: string;
  effectiveFrom: string;
  resign?: boolean;
  file?: string[];
}

function NewText({ onClose }: { onClose(): void }) {
  return (
    <FormDrawer<typeof addConsentText, Values>
      open
      title="新增协议文本"
      call={addConsentText}
      success={SERVER_MESSAGE}
      refreshes={[queryConsentTextList, queryConsentList]}
      onClose={onClose}
      toInput={({ file, ...values }) => ({ ...values, resign: values.resign ?? false, fileId: file?.[0] ?? null })}
    >
      <Field of={addConsentText} name="consentType" label="类型" />
      <div className="pa-two">
        <Field of={addConsentText} name="docVersion" placeholder="如 V2.1" />
        <Field of={addConsentText} name="effectiveFrom">
          <InstantInput />
        </Field>
      </div>
      <Field of={addConsentText} name="title" />
      <Form.Item label="文本文件" name="file">
        <FileIds max={1} hint="上传协议全文（PDF 或图片）" />
      </Form.Item>
      <Form.Item name="resign" valuePropName="checked" extra="勾选后，旧版本的同意在生效时间起失效，须重新签署">
        <Checkbox>须重新签署</Checkbox>
      </Form.Item>
    </FormDrawer>
  );
}

/** 协议文本: every version, which one is in force, and what becomes of older agreements. */
export function ConsentTexts({ onClose }: { onClose(): void }) {
  const layers = useLayers();
  const [shown, setShown] = useState<ConsentText | null>(null);
  const { data, error, refetch } = useData(queryConsentTextList, {}, { quiet: true });
  return (
    <Drawer
      open
      size={760}
      title="协议文本"
      onClose={onClose}
      extra={
        <Can permission={rights['consent.edit']}>
          <Button type="primary" size="small" onClick={() => layers.open((close) => <NewText onClose={close} />)}>
            新增版本
          </Button>
        </Can>
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : data.length === 0 ? (
        <p className="pa-empty">还没有协议文本，点击“新增版本”添加</p>
      ) : (
        <table className="pa-grid">
          <thead>
            <tr>
              <th>类型</th>
              <th>版本</th>
              <th>名称</th>
              <th>生效时间</th>
              <th>重新签署</th>
              <th>状态</th>
              <th>文本</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={row.id}>
                <td>{consentTypes.label(row.consentType)}</td>
                <td>{row.docVersion}</td>
                <td>{row.title}</td>
                <td className="pa-nowrap">
                  <Time at={row.effectiveFrom} />
                </td>
                <td>{row.resign ? '是' : '否'}</td>
                <td>{row.inForce ? <span className="pa-tag pa-tag-main">当前</span> : <span className="kq-muted">非当前</span>}</td>
                <td>
                  {row.fileId ? (
                    <button type="button" className="kq-link" onClick={() => setShown(row)}>
                      查看
                    </button>
                  ) : (
                    '—'
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {layers.shown}
      <FilePreview
        files={
          shown?.fileId
            ? [{ fileId: shown.fileId, fileName: `${shown.title} ${shown.docVersion}`, detectedType: null, pageCount: null }]
            : null
        }
        ownerType="patient.consentText"
        ownerId={shown?.id ?? ''}
        onClose={() => setShown(null)}
      />
    </Drawer>
  );
}
