import { Body, Controller } from '@nestjs/common';
import { type DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { expect, test } from '@jest/globals';
import { Call } from './call.js';
import { UnderKey } from './fields/declared.js';
import { Integer } from './fields/vocabulary.js';
import { Notice } from './refused.js';
import { RouteTable } from './route-table.js';
import { notice } from './call-description.js';

class Forgetful {
  @Integer() count!: number;
}
@UnderKey()
class Named {
  @Integer() count!: number;
}
const policy = { method: 'POST', path: '/api/news', auth: 'user', money: true } as const;
const description = { summary: 'A test', answer: notice('common.success') };

@Controller()
class Wrong {
  @Call(policy, description)
  pay(@Body() _fields: Forgetful): Notice {
    return new Notice('common.success');
  }
}
@Controller()
class Right {
  @Call(policy, description)
  pay(@Body() _fields: Named): Notice {
    return new Notice('common.success');
  }
}
const start = (...controllers: object[]): void => {
  const discovery = { getControllers: () => controllers.map((instance) => ({ instance })) };
  new RouteTable(
    discovery as unknown as DiscoveryService,
    new MetadataScanner(),
    new Reflector(),
  ).onApplicationBootstrap();
};

test('a call that moves money without a key keeps the process from starting [EDGE-034]', () => {
  expect(() => start(new Wrong())).toThrow('/api/news moves money: the class of its fields is to be @UnderKey()');
  expect(() => start(new Right())).not.toThrow();
});

test('so does a call that two controllers declare [EDGE-034]', () => {
  expect(() => start(new Right(), new Right())).toThrow('POST /api/news is declared by two controllers');
});
