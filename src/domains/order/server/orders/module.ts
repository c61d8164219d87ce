import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { cancel, modifyAddress, remark, retryCards, reveal } from './handlers.ts';
import { desk } from './access.ts';
import { orderConsumers } from './consumers.ts';
import { orderDetail } from './detail.ts';
import { orderJobs } from './jobs.ts';
import { orderExport, orderList, orderSum } from './list.ts';
import { openHandlers } from './open.ts';
import { audit } from './rx.ts';

/** 订单管理: orders from the prescription over the payment to their end. */
export const ordersModule: FeatureModule = {
  handlers: (kernel) => {
    const list = orderList(kernel);
    return [
      list.handler,
      orderSum(list),
      orderDetail(kernel),
      ...desk.handlers(),
      audit(kernel),
      modifyAddress(kernel),
      remark,
      cancel(kernel),
      retryCards(kernel),
      reveal(kernel),
      ...openHandlers(kernel),
    ];
  },
  exports: (kernel) => [orderExport(orderList(kernel))],
  jobs: orderJobs,
  consumers: orderConsumers,
};
