import { expectType } from 'tsd';
import P, { map, all, Promise as Named } from '../../lib/index.mjs';

expectType<P<number[]>>(map([1], (x) => x));
expectType<P<[number, string]>>(all([1, 'x']));
expectType<Named<number>>(P.resolve(1));
