import { Button, Form, InputNumber, Radio, Select } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addFloor, modifyFloor, queryPageLayout } from '../../contract/floors/calls.ts';
import { clientTypeOf, type PageCode } from '../../contract/floors/clientPages.ts';
import { dataModes, floorSorts, floorTypes, holdsItems, itemTypeOf, sortsOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorLabels, type FloorItem } from '../../contract/floors/shape.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { AudienceInput, MarksSelect } from '../delivery/AudienceInput.tsx';
import { factsOfFloor, itemsIn, type DraftFloor, type FloorState } from './draftFloor.ts';
import { ItemsEditor } from './ItemsEditor.tsx';
import '../delivery/delivery.css';

type Values = Omit<InputOf<typeof addFloor>, 'pageCode' | 'version' | 'floorType' | 'items'> & { items?: FloorItem[] };
const refreshes = [queryPageLayout, previewPage];
const WIDTH = 720;

/** What belongs to the other way of choosing is not sent with this one. */
const sent = ({ items, rule, ...values }: Values) => {
  const byRule = values.dataMode === 'RULE';
  return { ...values, items: byRule ? [] : itemsIn(items ?? []), rule: byRule ? (rule ?? {}) : null };
};

function ColourInput({ value, onChange }: { value?: string; onChange?(colour: string): void }) {
  // The browser's own choice of colours: a library's would be loaded by everybody.
  return (
    <span className="kq-row">
      <input type="color" aria-label="背景色" value={value || '#ffffff'} onChange={(event) => onChange?.(event.target.value)} />
      {value ? (
        <>
          {value}
          <Button type="link" size="small" onClick={() => onChange?.('')}>
            恢复默认
          </Button>
        </>
      ) : (
        <span className="kq-muted">默认</span>
      )}
    </span>
  );
}

/** Items that somebody chose, or marks by which they are chosen. */
function ContentFields({ floorType }: { floorType: FloorType }) {
  const form = Form.useFormInstance<Values>();
  const mode = Form.useWatch('dataMode', form);
  const objectType = itemTypeOf(floorType);
  return (
    <>
      {objectType !== null && (
        <Field of={addFloor} name="dataMode">
          <Radio.Group options={dataModes.options.map(({ value, label }) => ({ value, label }))} />
        </Field>
      )}
      {mode === 'RULE' && objectType !== null ? (
        <>
          <Form.Item name={['rule', 'marksAny']} label="含任一标签">
            <MarksSelect objectType={objectType} label="含任一标签" />
          </Form.Item>
          <Form.Item name={['rule', 'marksAll']} label="含全部标签">
            <MarksSelect objectType={objectType} label="含全部标签" />
          </Form.Item>
          <div className="dl-pair">
            <Form.Item name={['rule', 'sort']} label="排序" initialValue="NEW">
              <Select
                options={floorSorts.options
                  .filter(({ value }) => sortsOf(floorType).includes(value))
                  .map(({ value, label }) => ({ value, label }))}
              />
            </Form.Item>
            <Form.Item name={['rule', 'limit']} label="数量" initialValue={6}>
              <InputNumber className="kq-wide" min={1} max={30} precision={0} />
            </Form.Item>
          </div>
        </>
      ) : (
        <Form.Item label={floorLabels.items} name="items">
          <ItemsEditor floorType={floorType} />
        </Form.Item>
      )}
    </>
  );
}

interface FloorFormProps {
  pageCode: PageCode;
  version: number;
  /** A floor of the draft, or the type of a new one. */
  floor: DraftFloor | FloorType;
  /** The draft as it is before; the change is told with it, so that it can be come back to. */
  before: FloorState[];
  onChanged(before: FloorState[]): void;
  onClose(): void;
}

/** What a floor is: drawer 新增/编辑楼层. */
export function FloorForm({ pageCode, version, floor, before, onChanged, onClose }: FloorFormProps) {
  // As it was when the form was opened: the page reads the draft anew before the form closes.
  const [opened] = useState(before);
  const floorType = typeof floor === 'string' ? floor : floor.floorType;
  const fields = (
    <>
      <Field of={addFloor} name="floorName" />
      <Field of={addFloor} name="title" />
      <div className="dl-pair">
        <Field of={addFloor} name="showTitle" />
        <Field of={addFloor} name="background">
          <ColourInput />
        </Field>
      </div>
      <Field of={addFloor} name="moreLink" placeholder="不填则不显示“更多”" />
      <Field of={addFloor} name="layout" />
      {holdsItems(floorType) && <ContentFields floorType={floorType} />}
      <div className="dl-pair">
        <Field of={addFloor} name="startAt">
          <InstantInput placeholder="立即开始" />
        </Field>
        <Field of={addFloor} name="endAt">
          <InstantInput placeholder="长期展示" />
        </Field>
      </div>
      <Field of={addFloor} name="hideWhenEmpty" />
      <Form.Item label={floorLabels.audience} name="audience">
        <AudienceInput clientType={clientTypeOf(pageCode)} />
      </Form.Item>
    </>
  );
  const shared = { open: true, width: WIDTH, onClose, refreshes, labels: floorLabels } as const;
  const noun = floorTypes.label(floorType);
  if (typeof floor === 'string')
    return (
      <FormDrawer<typeof addFloor, Values>
        {...shared}
        title={`新增楼层：${noun}`}
        call={addFloor}
        initial={{
          floorName: noun,
          title: '',
          showTitle: true,
          moreLink: '',
          background: '',
          layout: 'ONE',
          dataMode: 'MANUAL',
          items: [],
          audience: {},
          hideWhenEmpty: true,
        }}
        toInput={(values) => ({ ...sent(values), pageCode, version, floorType })}
        onDone={() => onChanged(opened)}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  const { hidden, rule, ...facts } = factsOfFloor(floor);
  return (
    <FormDrawer<typeof modifyFloor, Values>
      {...shared}
      title={`编辑楼层：${floor.floorName}`}
      call={modifyFloor}
      recordKey={floor.id}
      initial={{ ...facts, ...(rule && { rule }), items: floor.items }}
      toInput={(values) => ({ ...sent(values), hidden, id: floor.id, version })}
      onDone={() => onChanged(opened)}
      success="修改成功!"
    >
      {fields}
    </FormDrawer>
  );
}
