import { Form, Input } from 'antd';
import { Suspense } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { addQrCode, modifyQrCode, queryCommonQrCodeList, queryQrCodeDetail, type CodeRow } from '../../contract/calls/codes.ts';
import { CodeStyleFields } from '../shared/codeStyle.ts';
import { styleOf, styleValues, type StyleValues } from '../shared/styleValues.ts';
import { RefSelect } from '../shared/RefSelect.tsx';
import { contentOf, contentValues, TargetFields, type ContentValues } from '../shared/TargetFields.tsx';

interface Values extends ContentValues {
  channelId: string;
  name: string;
  style: StyleValues;
}

const refreshes = [queryCommonQrCodeList, queryQrCodeDetail];
const labels = {
  name: '名称',
  target: '跳转目标',
  pairs: '附加参数',
  style: '样式',
  validFrom: '生效时间',
  validTo: '失效时间',
  scanLimit: '次数上限',
};

const valuesOf = (code: CodeRow): Partial<Values> => ({
  channelId: code.channelId,
  name: code.name,
  ...contentValues(code),
  style: styleValues(code.style as CodeStyle),
});

/** Drawer 新增/编辑二维码; a printed code goes to its new target from the next scan on. */
export function CodeForm({ code, channelId, onClose }: { code: CodeRow | null; channelId: string | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const initial: Partial<Values> = code
    ? valuesOf(code)
    : { ...(channelId && { channelId }), target: { type: 'H5' }, style: styleValues() };
  const shared = { open: true, onClose, refreshes, form, initial, labels, width: 760 } as const;
  const fields = (
    <>
      <div className="ch-two">
        <Field of={addQrCode} name="name">
          <Input showCount />
        </Field>
        <Field of={addQrCode} name="channelId">
          <RefSelect type="CHANNEL" disabled={code !== null} />
        </Field>
      </div>
      <Section title="内容" extra={code && <span className="kq-muted">已印刷的码将跳转到新目标</span>}>
        <TargetFields />
      </Section>
      <Section title="样式">
        <Suspense fallback={<div className="kq-loading" />}>
          <CodeStyleFields />
        </Suspense>
      </Section>
    </>
  );
  if (code) {
    return (
      <FormDrawer<typeof modifyQrCode, Values>
        {...shared}
        title={`编辑二维码：${code.token}`}
        call={modifyQrCode}
        recordKey={code.id}
        valuesOf={(current) => valuesOf(current as CodeRow)}
        success="修改成功!"
        toInput={(values) => ({
          id: code.id,
          version: code.version,
          name: values.name,
          ...contentOf(values),
          style: styleOf(values.style),
        })}
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addQrCode, Values>
      {...shared}
      title="新增二维码"
      call={addQrCode}
      success={SERVER_MESSAGE}
      toInput={(values) => ({ channelId: values.channelId, name: values.name, ...contentOf(values), style: styleOf(values.style) })}
    >
      {fields}
    </FormDrawer>
  );
}
