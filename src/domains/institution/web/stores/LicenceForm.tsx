import { DatePicker, Form, Input, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { licenceTypes, type LicenceType } from '../../contract/dictionaries.ts';
import { queryLicenceExpireList, saveLicence } from '../../contract/licenceCalls.ts';
import { queryDrugstoreDetail, queryDrugstoreList, queryStoreChangeList } from '../../contract/storeCalls.ts';

interface Values {
  licenceType: LicenceType;
  licenceNo: string;
  holder: string;
  validFrom: Dayjs;
  validTo?: Dayjs | null;
  files?: readonly UploadedFile[];
}

/** 证照: a new one, or the one that follows. Of an open store it waits for its audit. */
export function LicenceForm({ store, onClose }: { store: { id: string; name: string; state: string }; onClose(): void }) {
  return (
    <FormDialog<typeof saveLicence, Values>
      open
      title={`证照：${store.name}`}
      width={640}
      call={saveLicence}
      initial={{ holder: store.name, validFrom: dayjs() }}
      toInput={({ files, validFrom, validTo, ...values }) => ({
        ownerType: 'DRUGSTORE',
        ownerId: store.id,
        ...values,
        validFrom: validFrom.format('YYYY-MM-DD'),
        validTo: validTo?.format('YYYY-MM-DD') ?? null,
        fileIds: (files ?? []).map(({ fileId }) => fileId),
      })}
      refreshes={[queryDrugstoreDetail, queryDrugstoreList, queryLicenceExpireList, queryStoreChangeList]}
      onDone={({ data }) => toast(data.changeNo ? `已提交审核（${data.changeNo}）` : '修改成功!')}
      onClose={onClose}
    >
      {(store.state === 'OPEN' || store.state === 'SUSPENDED') && <p className="kq-muted">该门店已开业，新证照须审核后生效。</p>}
      <div className="in-two">
        <Form.Item label="证照类型" name="licenceType" rules={[{ required: true, message: '请选择证照类型' }]}>
          <Select
            placeholder="请选择"
            options={licenceTypes.options.filter(({ value }) => value !== 'MEDICAL').map(({ value, label }) => ({ value, label }))}
          />
        </Form.Item>
        <Form.Item label="证照编号" name="licenceNo" rules={[{ required: true, whitespace: true, message: '请输入证照编号' }]}>
          <Input maxLength={60} />
        </Form.Item>
        <Form.Item label="持有人" name="holder" rules={[{ required: true, whitespace: true, message: '请输入持有人' }]}>
          <Input maxLength={100} />
        </Form.Item>
        <span />
        <Form.Item label="有效期起" name="validFrom" rules={[{ required: true, message: '请选择有效期起' }]}>
          <DatePicker className="kq-wide" />
        </Form.Item>
        <Form.Item label="有效期止" name="validTo" extra="不填为长期">
          <DatePicker className="kq-wide" />
        </Form.Item>
      </div>
      <Form.Item label="扫描件" name="files">
        <Upload purpose="INSTITUTION_PAPER" max={5} />
      </Form.Item>
    </FormDialog>
  );
}
