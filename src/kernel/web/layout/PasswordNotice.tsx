import { Button } from 'antd';
import { useState } from 'react';
import { goTo } from '../router/navigate.ts';
import { useSession } from '../session/store.ts';

/** Days before the password expires from which the operator is warned. */
const NOTICE_DAYS = 7;

/** Says in time that the password will expire. */
export function PasswordNotice() {
  const days = useSession((state) => state.passwordExpiresInDays);
  const [put, setPut] = useState(false);
  if (put || days === null || days > NOTICE_DAYS) return null;
  return (
    <div className="kq-new-version" role="status">
      {days > 0 ? `您的密码将在${days}天后过期，请及时修改。` : '您的密码今天过期，请尽快修改。'}
      <Button size="small" type="primary" onClick={() => goTo('/editUsePwd')}>
        修改密码
      </Button>
      <Button size="small" type="text" onClick={() => setPut(true)}>
        稍后
      </Button>
    </div>
  );
}
