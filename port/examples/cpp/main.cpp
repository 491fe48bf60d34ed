// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The VSP authors

// The engine is C; in C++ a world is an object that owns its memory.

#include <cstddef>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "../scene.h"

class World {
    using word = std::max_align_t;

public:
    World() : memory(new word[words]) // never moves
    {
        world = scene_create(memory.get(), words * sizeof(word), &top);
        if (!world)
            throw std::runtime_error("the world is too small");
    }
    void step()
    {
        const vsp_status status = vsp_world_step(world);
        if (status < 0)
            throw std::runtime_error(vsp_status_name(status));
    }
    double height() const
    {
        return vsp_to_double(vsp_body_transform(world, top).position.y);
    }
    unsigned long hash() const { return vsp_world_hash(world); }

private:
    static constexpr std::size_t words = VSP_WORLD_BYTES / sizeof(word) + 1;
    std::unique_ptr<word[]> memory;
    vsp_world *world = nullptr;
    vsp_body_id top{};
};

int main()
{
    World world;
    for (int i = 0; i < SCENE_STEPS; i++)
        world.step();
    std::printf("top at %.3f m\n", world.height());
    std::printf(SCENE_ROW, world.hash());
}
