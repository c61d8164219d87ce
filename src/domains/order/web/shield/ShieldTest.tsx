import { Alert, Button, Drawer, Form } from 'antd';
import { useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { send } from '#kernel/web/http/client.ts';
import { ChannelPicker } from '#kernel/web/kit/pickers.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { testShieldGoods } from '../../contract/calls/shield.ts';
import { CitySelect, GoodsSelect, ProductCodeSelect } from '../selects.tsx';

interface Values {
  goodsCode: string;
  productCode?: string | null;
  cityCode?: string | null;
  channelId?: string | null;
}

/** 试算: whether somebody would see the button today, and why. */
export function ShieldTest({ onClose }: PageWindowProps) {
  const [form] = Form.useForm<Values>();
  const [answer, setAnswer] = useState<OutputOf<typeof testShieldGoods> | null>(null);
  const [asking, setAsking] = useState(false);
  const ask = async ({ goodsCode, productCode, cityCode, channelId }: Values) => {
    setAsking(true);
    try {
      setAnswer(
        await send(testShieldGoods, {
          goodsCode,
          productCode: productCode ?? '',
          cityCode: cityCode ?? '',
          channelId: channelId ?? null,
        }),
      );
    } catch {
      // The refusal was told as a toast.
      setAnswer(null);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Drawer open title="试算隐藏加购" size={640} destroyOnHidden onClose={onClose}>
      <Form<Values> form={form} layout="vertical" onValuesChange={() => setAnswer(null)} onFinish={(values) => void ask(values)}>
        <Field of={testShieldGoods} name="goodsCode">
          <GoodsSelect />
        </Field>
        <Field of={testShieldGoods} name="productCode">
          <ProductCodeSelect placeholder="用户所在的产品，不选为没有产品" />
        </Field>
        <Field of={testShieldGoods} name="cityCode">
          <CitySelect placeholder="用户所在城市，不选为未知" />
        </Field>
        <Field of={testShieldGoods} name="channelId">
          <ChannelPicker placeholder="用户来自的渠道，不选为自然流量" />
        </Field>
        <Button type="primary" htmlType="submit" loading={asking}>
          试算
        </Button>
      </Form>
      <div aria-live="polite" className="kq-gap-top">
        {answer && (
          <Alert
            showIcon
            type={answer.hidden ? 'warning' : 'success'}
            title={answer.hidden ? `隐藏按钮，显示“${answer.displayText ?? ''}”` : '显示“加入购物车”按钮'}
            description={answer.why}
          />
        )}
      </div>
    </Drawer>
  );
}
