// SPDX-License-Identifier: GPL-2.0
/*
 * What is said about BlueFlame: by driver, path and environment.
 */
#include "unit.h"
#include "blueflame.h"

static void clear(void)
{
	unsetenv("MLX5_SHUT_UP_BF");
	unsetenv("MLX4_POST_SEND_PREFER_BF");
}

static void other_devices_have_none(void **state)
{
	(void)state;
	clear();
	assert_string_equal(blueflame_state("rxe", true), "not applicable");
	blueflame_off();
	assert_string_equal(blueflame_state("siw", true), "not applicable");
	assert_string_equal(blueflame_state("", true), "");
}

static void mlx5_is_switched_off(void **state)
{
	(void)state;
	clear();
	assert_string_equal(blueflame_state("libmlx5-rdmav34.so", true), "provider default");
	setenv("MLX5_SHUT_UP_BF", "0", 1);
	assert_string_equal(blueflame_state("mlx5", true), "provider default");
	blueflame_off();
	assert_string_equal(getenv("MLX5_SHUT_UP_BF"), "1");
	assert_string_equal(blueflame_state("mlx5", true), "off");
	assert_string_equal(blueflame_state("mlx5_ib", false), "not used by kernel drivers");
}

/* The provider of rdma-core has no switch: nothing is claimed. */
static void mlx4_is_only_asked(void **state)
{
	(void)state;
	clear();
	assert_string_equal(blueflame_state("mlx4", true), "provider default");
	blueflame_off();
	assert_string_equal(getenv("MLX4_POST_SEND_PREFER_BF"), "0");
	assert_non_null(strstr(blueflame_state("mlx4", true), "asked off"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(other_devices_have_none),
	cmocka_unit_test(mlx5_is_switched_off),
	cmocka_unit_test(mlx4_is_only_asked),
};

UNIT_MAIN(tests)
