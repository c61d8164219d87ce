import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { ClockInput } from '#kernel/web/form/ClockInput.tsx';
import { usePreference } from '#kernel/web/session/preference.ts';
import { ENTER_KEY, ring, RINGING_KEY, ringDefaults, type RingPreference } from '../desk/ring.ts';

/** 通知偏好: sound, notices of the browser, quiet hours, and which key sends. */
export function Ringing() {
  const { value, save } = usePreference<RingPreference>(RINGING_KEY, ringDefaults);
  const enter = usePreference<boolean>(ENTER_KEY, true);
  const [from, setFrom] = useState(value.quietFrom);
  const [to, setTo] = useState(value.quietTo);
  const allow = async (wanted: boolean) => {
    if (wanted && typeof Notification === 'undefined') return toastError('当前浏览器不支持桌面通知');
    if (wanted && (await Notification.requestPermission()) !== 'granted') return toastError('浏览器未授权桌面通知，请在地址栏左侧开启');
    return save({ ...value, desktop: wanted });
  };
  return (
    <div className="im-ringing">
      <p>
        <Checkbox checked={value.sound} onChange={({ target }) => save({ ...value, sound: target.checked })}>
          声音提醒
        </Checkbox>{' '}
        <Button size="small" type="link" onClick={() => ring({ ...ringDefaults, sound: true }, { title: '', body: '', tag: 'test' })}>
          试听
        </Button>
      </p>
      <p>
        <Checkbox checked={value.desktop} onChange={({ target }) => void allow(target.checked)}>
          桌面通知
        </Checkbox>
      </p>
      <p>
        免打扰时段 <ClockInput size="small" aria-label="免打扰开始" value={from} onChange={(at) => setFrom(at ?? '')} /> 至{' '}
        <ClockInput size="small" aria-label="免打扰结束" value={to} onChange={(at) => setTo(at ?? '')} />
        <Button
          size="small"
          disabled={!from || !to || (from === value.quietFrom && to === value.quietTo)}
          onClick={() => (save({ ...value, quietFrom: from, quietTo: to }), toast('免打扰时段已更新'))}
        >
          保存
        </Button>
      </p>
      <p className="kq-muted">开始与结束相同表示不设免打扰；疑似急症的提醒不受免打扰限制。</p>
      <p>
        <Checkbox checked={enter.value} onChange={({ target }) => enter.save(target.checked)}>
          Enter 发送，Shift+Enter 换行（关闭后为 Ctrl+Enter 发送）
        </Checkbox>
      </p>
    </div>
  );
}
