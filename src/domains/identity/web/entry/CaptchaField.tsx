import type { Ref } from 'react';
import { EntryField } from './EntryField.tsx';
import type { Captcha } from './useCaptcha.ts';

interface CaptchaFieldProps {
  captcha: Captcha;
  fault?: string | undefined;
  onChange?(): void;
  ref?: Ref<HTMLInputElement>;
}

/** 图形验证码 with its picture; clicking the picture brings another one. */
export function CaptchaField({ captcha, fault, onChange, ref }: CaptchaFieldProps) {
  return (
    <EntryField
      ref={ref}
      label="图形验证码"
      name="captcha"
      value={captcha.text}
      maxLength={8}
      onChange={(value) => {
        captcha.setText(value.trim());
        onChange?.();
      }}
      fault={fault ?? captcha.failure ?? undefined}
      beside={
        <button type="button" className="id-captcha" title="点击更换" aria-label="更换图形验证码" onClick={() => void captcha.renew()}>
          {captcha.picture ? <img src={captcha.picture.image} alt="图形验证码" /> : captcha.failure ? '点击重试' : '加载中…'}
        </button>
      }
    />
  );
}
