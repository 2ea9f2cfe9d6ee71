// CommonJS packages that require Nest's ES modules fail inside a cycle unless these are loaded first.
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
import '@nestjs/platform-fastify';
